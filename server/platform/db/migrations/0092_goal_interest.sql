-- Interest on a goal, up to the end of a day of the bank's: what was accrued and has not been paid, in millionths of a
-- cent, and the last entry of the goal's account that was counted. Goals from before this begin on the day it is run.
ALTER TABLE bank.goal
  ADD COLUMN accrued_on date,
  ADD COLUMN accrued_millionths bigint NOT NULL DEFAULT 0 CHECK (accrued_millionths >= 0),
  ADD COLUMN counted_version bigint NOT NULL DEFAULT 0;
UPDATE bank.goal SET accrued_on =
  (coalesce((SELECT now() - real_epoch + business_epoch FROM bank.clock), now()) AT TIME ZONE 'UTC')::date - 1;
ALTER TABLE bank.goal ALTER COLUMN accrued_on SET NOT NULL;
CREATE INDEX goal_accrued ON bank.goal (accrued_on, id) WHERE closed_at IS NULL;

-- What was paid, and for the days of which month: the month's first day.
CREATE TABLE bank.goal_interest (
  goal_id      uuid NOT NULL REFERENCES bank.goal,
  month        date NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  paid_at      timestamptz NOT NULL,
  operation_id uuid NOT NULL,
  PRIMARY KEY (goal_id, month)
);
GRANT SELECT, INSERT ON bank.goal_interest TO alder_app;
