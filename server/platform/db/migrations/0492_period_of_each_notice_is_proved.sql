-- compatible from: 0447
-- Reads the table once, while the bank writes into it: so attaching it as a partition reads nothing.
ALTER TABLE bank.notification VALIDATE CONSTRAINT notification_period;
