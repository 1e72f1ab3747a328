-- What a customer has of a coin. How much is the balance of the ledger's account; what it cost is kept here.
CREATE TABLE bank.crypto_position (
  customer_id    uuid NOT NULL REFERENCES bank.customer,
  asset          text NOT NULL CHECK (asset IN ('BTC', 'ETH', 'LTC')),
  account_id     bigint NOT NULL UNIQUE,
  -- US cents, fees included: what the coins held cost on average, and what sales brought beyond what was sold had cost.
  cost_minor     bigint NOT NULL DEFAULT 0 CHECK (cost_minor >= 0),
  realised_minor bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (customer_id, asset)
);
GRANT SELECT, INSERT ON bank.crypto_position TO alder_app;
GRANT UPDATE (cost_minor, realised_minor) ON bank.crypto_position TO alder_app;

-- A price that the bank has promised for some seconds. `dollars_minor` is what the customer pays or is paid, its fee settled.
CREATE TABLE bank.crypto_quote (
  id            uuid PRIMARY KEY,
  customer_id   uuid NOT NULL REFERENCES bank.customer,
  side          text NOT NULL CHECK (side IN ('buy', 'sell')),
  asset         text NOT NULL CHECK (asset IN ('BTC', 'ETH', 'LTC')),
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  dollars_minor bigint NOT NULL CHECK (dollars_minor > 0),
  fee_minor     bigint NOT NULL CHECK (fee_minor >= 0),
  price_micros  bigint NOT NULL CHECK (price_micros > 0),
  -- Real time, and the business time at which it ends too: nobody puts the date forward to trade at an old price.
  quoted_at     timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  business_expires_at timestamptz NOT NULL,
  -- The operation that it was used for.
  operation_id  uuid UNIQUE
);
CREATE INDEX crypto_quote_expired ON bank.crypto_quote (expires_at);
GRANT SELECT, INSERT, DELETE ON bank.crypto_quote TO alder_app;
GRANT UPDATE (operation_id) ON bank.crypto_quote TO alder_app;

-- A limit order. Its id is that of the operation that set its dollars or coins aside.
CREATE TABLE bank.crypto_order (
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  side         text NOT NULL CHECK (side IN ('buy', 'sell')),
  asset        text NOT NULL CHECK (asset IN ('BTC', 'ETH', 'LTC')),
  -- US cents to buy, coins to sell.
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  limit_micros bigint NOT NULL CHECK (limit_micros > 0),
  status       text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'filled', 'cancelled', 'expired')),
  -- Business time.
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  ended_at     timestamptz,
  CONSTRAINT crypto_order_ended CHECK ((status = 'open') = (ended_at IS NULL))
);
CREATE INDEX crypto_order_of_customer ON bank.crypto_order (customer_id, id);
CREATE INDEX crypto_order_open ON bank.crypto_order (asset, id) WHERE status = 'open';
CREATE INDEX crypto_order_expiring ON bank.crypto_order (expires_at) WHERE status = 'open';
GRANT SELECT, INSERT ON bank.crypto_order TO alder_app;
GRANT UPDATE (status, ended_at) ON bank.crypto_order TO alder_app;

-- Buys for so many US cents, the fee included, every week or month.
CREATE TABLE bank.crypto_recurring (
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  asset        text NOT NULL CHECK (asset IN ('BTC', 'ETH', 'LTC')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  every        text NOT NULL CHECK (every IN ('week', 'month')),
  -- The day that the dates are counted from, how many of them have passed since, and the next. Days are UTC's.
  anchor_on    date NOT NULL,
  passed       integer NOT NULL DEFAULT 0 CHECK (passed >= 0),
  next_on      date NOT NULL,
  status       text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'stopped')),
  created_at   timestamptz NOT NULL
);
CREATE INDEX crypto_recurring_of_customer ON bank.crypto_recurring (customer_id, id);
CREATE INDEX crypto_recurring_due ON bank.crypto_recurring (next_on, id) WHERE status = 'active';
GRANT SELECT, INSERT ON bank.crypto_recurring TO alder_app;
GRANT UPDATE (passed, next_on, status) ON bank.crypto_recurring TO alder_app;

-- What was traded, written with the operation that moved the dollars and the coins; `number` is the order of it.
CREATE TABLE bank.crypto_trade (
  operation_id  uuid PRIMARY KEY,
  number        bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id   uuid NOT NULL REFERENCES bank.customer,
  side          text NOT NULL CHECK (side IN ('buy', 'sell')),
  asset         text NOT NULL CHECK (asset IN ('BTC', 'ETH', 'LTC')),
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  dollars_minor bigint NOT NULL CHECK (dollars_minor > 0),
  fee_minor     bigint NOT NULL CHECK (fee_minor >= 0),
  price_micros  bigint NOT NULL CHECK (price_micros > 0),
  kind          text NOT NULL CHECK (kind IN ('quote', 'order', 'recurring')),
  -- Business time.
  booked_at     timestamptz NOT NULL
);
CREATE INDEX crypto_trade_of_customer ON bank.crypto_trade (customer_id, number);
GRANT SELECT, INSERT ON bank.crypto_trade TO alder_app;
