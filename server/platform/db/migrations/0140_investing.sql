-- Investing in funds. What a customer holds is the balance of a ledger account per fund; these rows say how it came there.

-- What a customer answered about what suits them. The last answers count; earlier ones are kept.
CREATE TABLE bank.suitability (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  horizon     text NOT NULL CHECK (horizon IN ('under_two_years', 'two_to_five_years', 'over_five_years')),
  loss        text NOT NULL CHECK (loss IN ('sell', 'wait', 'buy_more')),
  reserves    text NOT NULL CHECK (reserves IN ('under_three_months', 'three_to_six_months', 'over_six_months')),
  result      text NOT NULL CHECK (result IN ('low', 'medium', 'high')),
  answered_at timestamptz NOT NULL
);
CREATE INDEX suitability_of_customer ON bank.suitability (customer_id, id);
GRANT SELECT, INSERT ON bank.suitability TO alder_app;

-- Which versions of the risk notice a customer has accepted.
CREATE TABLE bank.risk_acceptance (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  version     integer NOT NULL,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, version)
);
GRANT SELECT, INSERT ON bank.risk_acceptance TO alder_app;

-- Recurring investing. All days are business days of UTC's calendar.
CREATE TABLE bank.fund_plan (
  id               uuid PRIMARY KEY,
  customer_id      uuid NOT NULL REFERENCES bank.customer,
  fund             text NOT NULL CHECK (fund IN ('FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE')),
  amount_minor     bigint NOT NULL CHECK (amount_minor > 0),
  every            text NOT NULL CHECK (every IN ('week', 'month')),
  accepts_mismatch boolean NOT NULL,
  -- The day that the dates are counted from, how many of them have passed since, and the next.
  anchor_on        date NOT NULL,
  passed           integer NOT NULL DEFAULT 0 CHECK (passed >= 0),
  next_on          date NOT NULL,
  -- The business day on or after next_on, on which its order is placed.
  due_on           date NOT NULL,
  status           text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'cancelled')),
  created_at       timestamptz NOT NULL,
  -- When it was made, or resumed last: no order of it is placed as of an earlier moment.
  active_since     timestamptz NOT NULL,
  CONSTRAINT fund_plan_due_on_or_after CHECK (due_on >= next_on)
);
CREATE INDEX fund_plan_of_customer ON bank.fund_plan (customer_id, due_on) WHERE status <> 'cancelled';
CREATE INDEX fund_plan_due ON bank.fund_plan (due_on) WHERE status = 'active';
CREATE INDEX fund_plan_exported ON bank.fund_plan (customer_id, id);
GRANT SELECT, INSERT ON bank.fund_plan TO alder_app;
GRANT UPDATE (passed, next_on, due_on, status, active_since) ON bank.fund_plan TO alder_app;

-- Orders to buy and sell units. The id is that of the operation that set aside what is paid or sold.
CREATE TABLE bank.fund_order (
  id                uuid PRIMARY KEY,
  customer_id       uuid NOT NULL REFERENCES bank.customer,
  -- The plan that placed it, and for which of its dates.
  plan_id           uuid REFERENCES bank.fund_plan,
  plan_on           date,
  side              text NOT NULL CHECK (side IN ('buy', 'sell')),
  fund              text NOT NULL CHECK (fund IN ('FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE')),
  status            text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'filled', 'cancelled')),
  -- To buy: what is paid, the fee included. To sell: what was paid out, the fee taken off. US cents.
  amount_minor      bigint CHECK (amount_minor >= 0),
  -- Millionths of a unit.
  units_minor       bigint CHECK (units_minor > 0),
  fee_minor         bigint CHECK (fee_minor >= 0),
  -- Millionths of a US dollar for one unit.
  price_micros      bigint CHECK (price_micros > 0),
  -- Whether the customer wanted more risk than suits them.
  accepts_mismatch  boolean NOT NULL DEFAULT false,
  -- The moment after which the first price counts.
  placed_at         timestamptz NOT NULL,
  -- When that price is expected, and once it is filled when it was published.
  priced_at         timestamptz NOT NULL,
  ended_at          timestamptz,
  cancelled_by      text CHECK (cancelled_by IN ('customer', 'bank')),
  -- The operation that filled it or released what it had set aside.
  end_operation_id  uuid UNIQUE,
  UNIQUE (plan_id, plan_on),
  CONSTRAINT fund_order_says_what CHECK (CASE side WHEN 'buy' THEN amount_minor > 0 ELSE units_minor IS NOT NULL END),
  CONSTRAINT fund_order_ends_once CHECK (num_nonnulls(ended_at, end_operation_id) = CASE status WHEN 'pending' THEN 0 ELSE 2 END),
  CONSTRAINT fund_order_filled_whole
    CHECK (status <> 'filled' OR num_nonnulls(amount_minor, units_minor, fee_minor, price_micros) = 4),
  CONSTRAINT fund_order_cancelled_by_somebody CHECK ((status = 'cancelled') = (cancelled_by IS NOT NULL)),
  CONSTRAINT fund_order_of_a_date CHECK (num_nonnulls(plan_id, plan_on) IN (0, 2)),
  CONSTRAINT fund_order_priced_after CHECK (priced_at > placed_at)
);
CREATE INDEX fund_order_of_customer ON bank.fund_order (customer_id, placed_at DESC, id DESC);
CREATE INDEX fund_order_pending ON bank.fund_order (priced_at) WHERE status = 'pending';
CREATE INDEX fund_order_pending_of_customer ON bank.fund_order (customer_id, priced_at) WHERE status = 'pending';
CREATE INDEX fund_order_pending_in_fund ON bank.fund_order (fund) WHERE status = 'pending';
GRANT SELECT, INSERT ON bank.fund_order TO alder_app;
GRANT UPDATE (status, amount_minor, units_minor, fee_minor, price_micros, priced_at, ended_at, cancelled_by, end_operation_id)
  ON bank.fund_order TO alder_app;
