-- Card payments that their customers say are wrong. Money moves in the ledger: a credit while it is looked into, and what
-- became of it. Times are business times.
CREATE TABLE bank.dispute (
  id             uuid PRIMARY KEY,
  customer_id    uuid NOT NULL REFERENCES bank.customer,
  -- The line of the statement that it is about, and the scheme's payment behind it where the bank has that.
  transaction_id text NOT NULL,
  scheme_id      text REFERENCES bank.card_authorisation (scheme_id),
  merchant       text NOT NULL,
  category       text NOT NULL,
  paid_at        timestamptz NOT NULL,
  amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
  asset          text NOT NULL,
  reason         text NOT NULL CHECK (reason IN ('not_me', 'not_received', 'wrong_amount', 'charged_twice', 'not_as_described')),
  description    text,
  -- What the customer was credited until it is decided: all of it, or nothing where they have much in dispute already.
  credited_minor bigint NOT NULL CHECK (credited_minor IN (0, amount_minor)),
  status         text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'withdrawn', 'upheld', 'rejected')),
  -- Of what was credited: what is still to be taken back, once there is money to take.
  due_minor      bigint NOT NULL DEFAULT 0 CHECK (due_minor BETWEEN 0 AND credited_minor),
  -- Of an upheld one: what the scheme gave back.
  upheld_minor   bigint NOT NULL DEFAULT 0 CHECK (upheld_minor BETWEEN 0 AND amount_minor),
  created_at     timestamptz NOT NULL,
  decided_at     timestamptz,
  decided_by     uuid REFERENCES bank.customer,
  answer         text,
  CONSTRAINT dispute_decided_once CHECK ((status = 'open') = (decided_at IS NULL)),
  CONSTRAINT dispute_decided_by_another CHECK (decided_by IS NULL OR decided_by <> customer_id),
  CONSTRAINT dispute_due_when_over CHECK (due_minor = 0 OR status <> 'open')
);
-- A payment is disputed once; one that the customer withdrew may be disputed again.
CREATE UNIQUE INDEX dispute_once ON bank.dispute (customer_id, transaction_id) WHERE status <> 'withdrawn';
CREATE INDEX dispute_customer ON bank.dispute (customer_id, id);
CREATE INDEX dispute_waiting ON bank.dispute (created_at, id) WHERE status = 'open';
CREATE INDEX dispute_due ON bank.dispute (id) WHERE due_minor > 0;
GRANT SELECT, INSERT ON bank.dispute TO alder_app;
GRANT UPDATE (status, due_minor, upheld_minor, decided_at, decided_by, answer) ON bank.dispute TO alder_app;
