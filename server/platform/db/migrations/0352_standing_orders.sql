-- What a customer has arranged to happen on dates to come, of every kind: payments, investments in a fund, buys of a coin,
-- moves to a savings goal. One engine carries them out (server/standing-orders).
CREATE TABLE bank.standing_order (
  -- Operations are named by it; of a move to a goal it is the goal's.
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('payment', 'investment', 'coin_buy', 'saving')),
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- What its kind alone knows of it.
  terms        jsonb NOT NULL,
  every        text NOT NULL CHECK (every IN ('once', 'week', 'month')),
  -- The day that the dates are counted from, how many of them have passed since, and the next.
  anchor_on    date NOT NULL,
  passed       integer NOT NULL DEFAULT 0 CHECK (passed >= 0),
  next_on      date NOT NULL,
  -- When it is next tried: on next_on or the business day after it, or later where it was refused. Business time.
  try_at       timestamptz NOT NULL,
  -- Whether it was refused for next_on already.
  refused      boolean NOT NULL DEFAULT false,
  -- The last date that was carried out.
  done_on      date,
  -- When it ends: after the date, after so many more dates, or never.
  ends_on      date,
  remaining    integer CHECK (remaining >= 0),
  status       text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'finished', 'cancelled')),
  -- Counts its changes, so that none is made to what somebody has not seen.
  version      integer NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL,
  -- When it was made, or resumed last.
  active_since timestamptz NOT NULL,
  CONSTRAINT standing_order_ends_one_way CHECK (ends_on IS NULL OR remaining IS NULL)
);

-- The ids stay, and with them the names of the operations: no date is carried out a second time.
INSERT INTO bank.standing_order (id, kind, customer_id, amount_minor, terms, every, anchor_on, passed, next_on, try_at, refused,
                                 done_on, ends_on, remaining, status, version, created_at, active_since)
  SELECT id, 'payment', customer_id, amount_minor, jsonb_build_object('recipient', recipient, 'address', address, 'note', note),
         every, anchor_on, passed, next_on, (try_on + time '06:00') AT TIME ZONE 'UTC', refused, paid_on, ends_on, remaining,
         status, version, created_at, created_at
    FROM bank.schedule;
INSERT INTO bank.standing_order (id, kind, customer_id, amount_minor, terms, every, anchor_on, passed, next_on, try_at, status,
                                 created_at, active_since)
  SELECT id, 'investment', customer_id, amount_minor, jsonb_build_object('fund', fund, 'acceptsMismatch', accepts_mismatch),
         every, anchor_on, passed, next_on, (due_on + time '06:00') AT TIME ZONE 'UTC', status, created_at, active_since
    FROM bank.fund_plan;
INSERT INTO bank.standing_order (id, kind, customer_id, amount_minor, terms, every, anchor_on, passed, next_on, try_at, status,
                                 created_at, active_since)
  SELECT id, 'coin_buy', customer_id, amount_minor, jsonb_build_object('asset', asset),
         every, anchor_on, passed, next_on, (next_on + time '06:00') AT TIME ZONE 'UTC',
         CASE status WHEN 'stopped' THEN 'cancelled' ELSE status END, created_at, created_at
    FROM bank.crypto_recurring;
-- Counted from a January, which has a day of each number.
INSERT INTO bank.standing_order (id, kind, customer_id, amount_minor, terms, every, anchor_on, passed, next_on, try_at,
                                 created_at, active_since)
  SELECT goal_id, 'saving', goal.customer_id, amount_minor, '{}', 'month', make_date(2000, 1, day_of_month),
         (12 * (extract(year FROM next_on) - 2000) + extract(month FROM next_on) - 1)::integer, next_on,
         next_on::timestamp AT TIME ZONE 'UTC', next_on::timestamp AT TIME ZONE 'UTC', next_on::timestamp AT TIME ZONE 'UTC'
    FROM bank.goal_monthly JOIN bank.goal ON goal.id = goal_id;

ALTER TABLE bank.fund_order DROP CONSTRAINT fund_order_plan_id_fkey,
  ADD CONSTRAINT fund_order_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES bank.standing_order;
DROP TABLE bank.schedule, bank.fund_plan, bank.crypto_recurring, bank.goal_monthly;

CREATE INDEX standing_order_of_customer ON bank.standing_order (customer_id, kind, try_at) WHERE status IN ('active', 'paused');
CREATE INDEX standing_order_due ON bank.standing_order (kind, try_at) WHERE status = 'active';
CREATE INDEX standing_order_exported ON bank.standing_order (customer_id, kind, id);
GRANT SELECT, INSERT ON bank.standing_order TO alder_app;
GRANT UPDATE (amount_minor, terms, anchor_on, passed, next_on, try_at, refused, done_on, ends_on, remaining, status, version,
              active_since)
  ON bank.standing_order TO alder_app;

-- The jobs that carried them out are no more; what is due is found by the sweep of the new ones.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    EXECUTE $jobs$DELETE FROM graphile_worker._private_jobs WHERE task_id IN (
      SELECT id FROM graphile_worker._private_tasks
       WHERE identifier IN ('schedules.pay_due', 'schedules.pay_overdue', 'crypto.buy_due', 'crypto.recurring', 'savings.monthly'))$jobs$;
  END IF;
END $$;
