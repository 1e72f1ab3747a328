-- compatible from: 0447
-- Which period a notice was written in (docs/decisions/0472), in three steps as 0471_period_of_each_row.sql and the two after it.
-- Payments wait behind this lock, and give up after a second.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE bank.notification ADD COLUMN period integer NOT NULL DEFAULT 1;
ALTER TABLE bank.notification ADD CONSTRAINT notification_period CHECK (period = 1) NOT VALID;
