-- A biller's right to collect from a customer's account, which the customer gives. Business times.
CREATE TABLE bank.mandate (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  account_id   bigint NOT NULL,
  biller_name  text NOT NULL,
  -- The biller's own name for it.
  reference    text NOT NULL,
  category     text NOT NULL,
  -- The most that may be collected at once; null for no limit.
  limit_minor  bigint CHECK (limit_minor > 0),
  asset        text NOT NULL DEFAULT 'USD',
  status       text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'active', 'declined', 'cancelled')),
  -- What an invented biller collects each month by itself, and on which day; null for one that says so each time.
  bill_minor   bigint CHECK (bill_minor > 0),
  bill_day     integer CHECK (bill_day BETWEEN 1 AND 31),
  created_at   timestamptz NOT NULL,
  decided_at   timestamptz,
  cancelled_at timestamptz,
  UNIQUE (customer_id, biller_name, reference),
  CONSTRAINT mandate_bill CHECK ((bill_minor IS NULL) = (bill_day IS NULL))
);
GRANT SELECT, INSERT, UPDATE (status, decided_at, cancelled_at) ON bank.mandate TO alder_app;

-- What a biller has announced under a mandate, and what became of it: one for each due date.
CREATE TABLE bank.direct_debit (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  mandate_id   uuid NOT NULL REFERENCES bank.mandate,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  asset        text NOT NULL DEFAULT 'USD',
  -- A business day.
  due_on       date NOT NULL,
  -- When it is collected on that day.
  due_at       timestamptz NOT NULL,
  status       text NOT NULL DEFAULT 'announced'
               CHECK (status IN ('announced', 'collected', 'unpaid', 'cancelled', 'claimed_back')),
  -- The operation that collected it, and when it was booked.
  operation_id uuid UNIQUE,
  booked_at    timestamptz,
  -- When the customer was told that it is coming.
  told_at      timestamptz,
  UNIQUE (mandate_id, due_on),
  CONSTRAINT direct_debit_booked
    CHECK ((status IN ('collected', 'claimed_back')) = (operation_id IS NOT NULL AND booked_at IS NOT NULL))
);
CREATE INDEX direct_debit_customer ON bank.direct_debit (customer_id, due_on);
CREATE INDEX direct_debit_due ON bank.direct_debit (due_at) WHERE status = 'announced';
GRANT SELECT, INSERT, UPDATE (status, operation_id, booked_at, told_at) ON bank.direct_debit TO alder_app;
