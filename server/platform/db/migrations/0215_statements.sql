-- Statements, and what customers import of other banks.

-- Up to which month a customer was told that a statement is ready, YYYY-MM.
CREATE TABLE bank.statement_told (
  customer_id uuid PRIMARY KEY REFERENCES bank.customer,
  month       text NOT NULL CHECK (month ~ '^\d{4}-\d{2}$')
);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.statement_told TO alder_app;

-- A file of another bank. What is in it is counted in the customer's analytics and nowhere else: it is no money of this bank.
CREATE TABLE bank.payment_import (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  file_name   text NOT NULL,
  imported_at timestamptz NOT NULL
);
CREATE INDEX payment_import_customer ON bank.payment_import (customer_id, imported_at DESC, id DESC);
GRANT SELECT, INSERT, DELETE ON bank.payment_import TO alder_app;

CREATE TABLE bank.imported_payment (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  import_id    uuid NOT NULL REFERENCES bank.payment_import ON DELETE CASCADE,
  booked_on    date NOT NULL,
  -- Below zero what was paid.
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  asset        text NOT NULL,
  name         text NOT NULL,
  category     text NOT NULL,
  -- What tells it from all others of its customer: the other bank's id, or a digest.
  identity     text NOT NULL,
  UNIQUE (customer_id, identity)
);
CREATE INDEX imported_payment_import ON bank.imported_payment (import_id);
CREATE INDEX imported_payment_day ON bank.imported_payment (customer_id, booked_on);
GRANT SELECT, INSERT, DELETE ON bank.imported_payment TO alder_app;
