-- compatible from: 0447
-- Reads both tables once, while the bank books: so attaching them as a partition reads nothing.
ALTER TABLE ledger.operation VALIDATE CONSTRAINT operation_period;
ALTER TABLE ledger.transfer VALIDATE CONSTRAINT transfer_period;
