-- Payments that a customer has arranged for later, once or again and again. All days are business days of UTC's calendar.
CREATE TABLE bank.schedule (
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  -- As the customer typed it, and as it was read.
  recipient    text NOT NULL,
  address      text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  asset        text NOT NULL,
  note         text,
  every        text NOT NULL CHECK (every IN ('once', 'week', 'month')),
  -- The day that the dates are counted from, how many of them have passed since, and the next.
  anchor_on    date NOT NULL,
  passed       integer NOT NULL DEFAULT 0 CHECK (passed >= 0),
  next_on      date NOT NULL,
  -- When it is next tried: the business day on or after next_on, or a later one where it was refused.
  try_on       date NOT NULL,
  -- Whether it was refused for next_on already.
  refused      boolean NOT NULL DEFAULT false,
  -- The last date that was paid.
  paid_on      date,
  -- When it ends: after the date, after so many more dates, or never.
  ends_on      date,
  remaining    integer CHECK (remaining >= 0),
  status       text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'finished', 'cancelled')),
  -- Counts its changes, so that none is made to what somebody has not seen.
  version      integer NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL,
  CONSTRAINT schedule_ends_one_way CHECK (ends_on IS NULL OR remaining IS NULL),
  CONSTRAINT schedule_tried_when_due CHECK (try_on >= next_on)
);
CREATE INDEX schedule_of_customer ON bank.schedule (customer_id, try_on) WHERE status = 'active';
CREATE INDEX schedule_due ON bank.schedule (try_on) WHERE status = 'active';
CREATE INDEX schedule_exported ON bank.schedule (customer_id, id);
GRANT SELECT, INSERT ON bank.schedule TO alder_app;
GRANT UPDATE (amount_minor, note, anchor_on, passed, next_on, try_on, refused, paid_on, ends_on, remaining, status, version)
  ON bank.schedule TO alder_app;
