-- Money on its way to accounts at other banks, by the operation that holds it until it has left. Business times.
CREATE TABLE bank.payout (
  operation_id      uuid PRIMARY KEY,
  customer_id       uuid NOT NULL REFERENCES bank.customer,
  -- What it is taken from, and goes back to where it comes back.
  account_id        bigint NOT NULL,
  linked_account_id uuid NOT NULL REFERENCES bank.linked_account,
  -- withdrawal: the customer's money. verification: the bank's own, by which a customer shows that the account is theirs.
  purpose           text NOT NULL CHECK (purpose IN ('withdrawal', 'verification')),
  -- What the account is called, and its holder and numbers, encrypted, for as long as a provider may be asked.
  name              text NOT NULL,
  destination       bytea,
  amount_minor      bigint NOT NULL CHECK (amount_minor > 0),
  asset             text NOT NULL,
  rail              text NOT NULL CHECK (rail IN ('simulated', 'provider')),
  -- lost: paid after the provider had said that it would not be. owed: came back to a customer who has closed.
  status            text NOT NULL CHECK (status IN ('pending', 'settled', 'failed', 'returned', 'lost', 'owed')),
  -- Why it failed or came back.
  reason            text CHECK (reason IN ('account_closed', 'name_mismatch', 'account_not_found', 'refused', 'other')),
  created_at        timestamptz NOT NULL,
  overdue_at        timestamptz NOT NULL
);
CREATE INDEX payout_customer ON bank.payout (customer_id, created_at);
CREATE INDEX payout_account ON bank.payout (linked_account_id);
CREATE INDEX payout_pending ON bank.payout (overdue_at) WHERE status = 'pending';
CREATE INDEX payout_operator ON bank.payout (created_at) WHERE status IN ('lost', 'owed');
GRANT SELECT, INSERT, UPDATE (status, reason, destination) ON bank.payout TO alder_app;

-- Events tell of payouts too.
ALTER TABLE bank.rail_event DROP CONSTRAINT rail_event_operation_id_fkey;

-- The linked account that money is collected from, where it is one: its name, and the same.
ALTER TABLE bank.collection ADD COLUMN source_name text, ADD COLUMN source bytea;
GRANT UPDATE (source) ON bank.collection TO alder_app;
