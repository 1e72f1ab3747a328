-- The number is encrypted with the bank's secret, and found by a digest that needs the secret too. Both are null in cards of
-- older versions, which are given a number when it is first asked for.
-- A card is the main one, or virtual for many payments or for one; used_at is when a single-use card was used.
-- A limit is what the customer has set, null for the bank's own. abroad: in other countries than the bank's.
ALTER TABLE bank.card
  ADD COLUMN kind                text NOT NULL DEFAULT 'main' CHECK (kind IN ('main', 'multi_use', 'single_use')),
  ADD COLUMN status              text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'frozen', 'removed')),
  ADD COLUMN number_sealed       bytea,
  ADD COLUMN number_digest       text UNIQUE,
  ADD COLUMN payment_limit_minor bigint CHECK (payment_limit_minor > 0),
  ADD COLUMN month_limit_minor   bigint CHECK (month_limit_minor > 0),
  ADD COLUMN online              boolean NOT NULL DEFAULT true,
  ADD COLUMN contactless         boolean NOT NULL DEFAULT true,
  ADD COLUMN abroad              boolean NOT NULL DEFAULT true,
  ADD COLUMN used_at             timestamptz,
  ADD CHECK (used_at IS NULL OR kind = 'single_use'),
  ADD CHECK ((number_sealed IS NULL) = (number_digest IS NULL));

UPDATE bank.card SET kind = 'multi_use' WHERE is_virtual OR NOT is_primary;
ALTER TABLE bank.card ALTER COLUMN kind DROP DEFAULT;
DROP INDEX bank.card_one_primary;
ALTER TABLE bank.card DROP COLUMN is_virtual, DROP COLUMN is_primary;
CREATE UNIQUE INDEX card_one_main ON bank.card (customer_id) WHERE kind = 'main' AND status <> 'removed';

-- What a card's payments of one calendar month (UTC, business time) come to, for its limit: authorised, less what was released.
CREATE TABLE bank.card_month (
  card_id    uuid NOT NULL REFERENCES bank.card,
  month      date NOT NULL,
  used_minor bigint NOT NULL CHECK (used_minor >= 0),
  PRIMARY KEY (card_id, month)
);
GRANT SELECT, INSERT, UPDATE ON bank.card_month TO alder_app;
