-- Money sent to someone who is not a customer yet: the ledger holds it, this says for whom and until when.
-- The link that claims it is derived from operation_id and the bank's secret, and kept nowhere.
CREATE TABLE bank.claim (
  operation_id      uuid PRIMARY KEY,
  sender_id         uuid NOT NULL REFERENCES bank.customer,
  sender_account_id bigint NOT NULL,
  sender_name       text NOT NULL,
  recipient         text NOT NULL,
  amount_minor      bigint NOT NULL CHECK (amount_minor > 0),
  asset             text NOT NULL,
  note              text,
  status            text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'claimed', 'cancelled', 'expired')),
  claimed_by        uuid REFERENCES bank.customer,
  expires_at        timestamptz NOT NULL,
  closed_at         timestamptz,
  CONSTRAINT claim_claimed_by_someone CHECK ((status = 'claimed') = (claimed_by IS NOT NULL)),
  CONSTRAINT claim_closed_once CHECK ((status = 'open') = (closed_at IS NULL))
);
CREATE INDEX claim_sender ON bank.claim (sender_id);
GRANT SELECT, INSERT ON bank.claim TO alder_app;
GRANT UPDATE (status, claimed_by, closed_at) ON bank.claim TO alder_app;

-- Whom a customer has sent money to. The name is the customer's own word for them, never the recipient's record.
CREATE TABLE bank.contact (
  owner_id     uuid NOT NULL REFERENCES bank.customer,
  address      text NOT NULL,
  spelling     text NOT NULL,
  name         text NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, address)
);
CREATE INDEX contact_recent ON bank.contact (owner_id, last_used_at DESC);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.contact TO alder_app;
