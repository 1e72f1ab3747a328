-- What a goal is saved for and how: a date, a lock, round-ups of card payments, a monthly move.
ALTER TABLE bank.goal
  ADD COLUMN target_on date,
  -- Nothing is withdrawn before this day, unless it is unlocked early.
  ADD COLUMN locked_until date,
  -- When an early unlock that was asked for takes effect, business time.
  ADD COLUMN unlocks_at timestamptz,
  -- Each card payment is rounded up to the next dollar so many times over; one goal of a customer collects that.
  ADD COLUMN round_up_times smallint CHECK (round_up_times > 0),
  ADD COLUMN closed_at timestamptz;
CREATE UNIQUE INDEX goal_round_up ON bank.goal (customer_id) WHERE round_up_times IS NOT NULL;

-- What a goal is given each month. The day is kept as it was chosen: the 31st is the last day of shorter months.
CREATE TABLE bank.goal_monthly (
  goal_id      uuid PRIMARY KEY REFERENCES bank.goal,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  day_of_month smallint NOT NULL CHECK (day_of_month BETWEEN 1 AND 31),
  next_on      date NOT NULL
);
CREATE INDEX goal_monthly_next ON bank.goal_monthly (next_on, goal_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.goal_monthly TO alder_app;
