-- A card spends from one ledger account: the main card from the current account, a virtual one from its own.
CREATE TABLE bank.card (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  account_id   bigint NOT NULL,
  type         text NOT NULL CHECK (type IN ('debit', 'credit')),
  name         text NOT NULL,
  last_four    text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
  expires_on   date NOT NULL,
  is_virtual   boolean NOT NULL,
  is_primary   boolean NOT NULL,
  created_at   timestamptz NOT NULL
);
CREATE INDEX card_customer ON bank.card (customer_id);
CREATE UNIQUE INDEX card_one_primary ON bank.card (customer_id) WHERE is_primary;
GRANT SELECT, INSERT, UPDATE ON bank.card TO alder_app;
