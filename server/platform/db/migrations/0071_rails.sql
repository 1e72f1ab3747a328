-- Money that is being collected for customers from outside, by the operation that holds it until it has arrived.
-- Times are business times, but for those of bank.rail_event.
CREATE TABLE bank.collection (
  operation_id uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  account_id   bigint NOT NULL,
  method       text NOT NULL CHECK (method IN ('card', 'bank', 'wallet')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  asset        text NOT NULL,
  -- simulated: arrives by itself. provider: arrives once the provider says so.
  rail         text NOT NULL CHECK (rail IN ('simulated', 'provider')),
  -- pending, then one of the others; return_due: taken back by the payer's bank, and not yet from the customer.
  status       text NOT NULL DEFAULT 'pending'
               CHECK (status IN ('pending', 'confirmed', 'failed', 'expired', 'return_due', 'returned')),
  created_at   timestamptz NOT NULL,
  -- When the bank stops waiting.
  overdue_at   timestamptz NOT NULL
);
CREATE INDEX collection_unfinished ON bank.collection (operation_id) WHERE status IN ('pending', 'return_due');
GRANT SELECT, INSERT, UPDATE (status) ON bank.collection TO alder_app;

-- What the provider told, by its own name for it: told twice, it is done once.
CREATE TABLE bank.rail_event (
  id           text PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES bank.collection,
  type         text NOT NULL,
  received_at  timestamptz NOT NULL
);
GRANT SELECT, INSERT ON bank.rail_event TO alder_app;

-- Bank transfers that were under way before there were rails.
INSERT INTO bank.collection (operation_id, customer_id, account_id, method, amount_minor, asset, rail, created_at, overdue_at)
SELECT o.id, a.holder_id, a.id, 'bank', h.held_minor, h.asset, 'simulated', o.booked_at, o.booked_at + interval '7 days'
  FROM ledger.transfer h
  JOIN ledger.operation o ON o.id = h.operation_id AND o.kind = 'top_up.bank'
  JOIN ledger.account a ON a.id = h.credit_account
 WHERE h.kind = 'hold'
   AND NOT EXISTS (SELECT FROM ledger.transfer r WHERE r.hold_id = h.hold_id AND r.kind IN ('post', 'void'));
