-- compatible from: 0447
-- Which period a row of the ledger was booked in (docs/decisions/0471). No row is written anew, and the next two migrations make
-- the tables partitioned by it: what takes long is between them, in one that keeps nobody waiting.
-- Whoever pays waits behind it, and gives up after a second.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE ledger.operation ADD COLUMN period integer NOT NULL DEFAULT 1;
ALTER TABLE ledger.operation ADD CONSTRAINT operation_period CHECK (period = 1) NOT VALID;
ALTER TABLE ledger.transfer ADD COLUMN period integer NOT NULL DEFAULT 1;
ALTER TABLE ledger.transfer ADD CONSTRAINT transfer_period CHECK (period = 1) NOT VALID;
