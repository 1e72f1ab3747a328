-- Accounts and cards that a customer has elsewhere. Times are business times but for requested_at.
CREATE TABLE bank.linked_account (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id    uuid NOT NULL REFERENCES bank.customer,
  kind           text NOT NULL CHECK (kind IN ('bank', 'card', 'wallet', 'payment_service')),
  -- Whose it is: the bank's or the service's name.
  name           text NOT NULL,
  holder_name    text NOT NULL,
  last_four      text CHECK (last_four ~ '^[0-9]{4}$'),
  -- Of a wallet or a payment service.
  email          text,
  -- Of a card.
  expires_on     date,
  -- Routing and account number, encrypted under the bank's secret; gone once the account is removed.
  numbers_sealed bytea,
  -- Tells whether two accounts are the same, without telling which.
  digest         text,
  status         text NOT NULL CHECK (status IN ('pending', 'verified', 'failed', 'removed')),
  -- What the two deposits come to, and how often other amounts were given.
  first_minor    integer CHECK (first_minor BETWEEN 1 AND 99),
  second_minor   integer CHECK (second_minor BETWEEN 1 AND 99),
  tries          integer NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL,
  -- Until when the deposits verify it.
  expires_at     timestamptz,
  -- The world's time, which limits go by.
  requested_at   timestamptz NOT NULL,
  CONSTRAINT linked_account_bank CHECK (kind <> 'bank' OR digest IS NOT NULL AND last_four IS NOT NULL),
  CONSTRAINT linked_account_pending CHECK (status <> 'pending' OR expires_at IS NOT NULL AND first_minor IS NOT NULL AND second_minor IS NOT NULL)
);
CREATE INDEX linked_account_customer ON bank.linked_account (customer_id);
CREATE UNIQUE INDEX linked_account_once ON bank.linked_account (customer_id, digest) WHERE status <> 'removed';
CREATE INDEX linked_account_digest ON bank.linked_account (digest, requested_at) WHERE digest IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (numbers_sealed, status, tries) ON bank.linked_account TO alder_app;
