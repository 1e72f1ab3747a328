-- What customers owe the bank because it paid for them. Each who does has an account for it, which stands below zero by
-- what is left; as much of their current account cannot be spent. Both are the database's to keep.

ALTER TABLE ledger.account ADD COLUMN owed_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE ledger.account ADD CONSTRAINT account_owed CHECK (owed_minor >= 0 AND (code <> 'owed' OR balance_minor <= 0));
CREATE UNIQUE INDEX account_of_what_is_owed ON ledger.account (holder_id) WHERE code = 'owed';

CREATE FUNCTION ledger.reserve_owed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE ledger.account SET owed_minor = -NEW.balance_minor WHERE holder_id = NEW.holder_id AND code = 'current';
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.reserve_owed() FROM PUBLIC;
CREATE TRIGGER reserve_owed AFTER UPDATE OF balance_minor ON ledger.account
  FOR EACH ROW WHEN (NEW.code = 'owed') EXECUTE FUNCTION ledger.reserve_owed();

-- Why they owe it. Times are business times.
CREATE TABLE bank.owed (
  -- The operation that the bank paid by.
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  cause        text NOT NULL CHECK (cause IN ('card_payment', 'top_up_returned', 'dispute', 'cashback')),
  -- The card payment, the top-up or the dispute; null for cashback.
  cause_id     uuid,
  -- The shop as its customer reads it, and as the bank compares it; null where there is none.
  name         text,
  shop         text,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- What is still to be collected, and what never will be, because the customer has closed.
  left_minor   bigint NOT NULL CHECK (left_minor >= 0),
  lost_minor   bigint NOT NULL DEFAULT 0 CHECK (lost_minor >= 0),
  asset        text NOT NULL,
  created_at   timestamptz NOT NULL,
  CONSTRAINT owed_no_more CHECK (left_minor + lost_minor <= amount_minor)
);
CREATE INDEX owed_left ON bank.owed (customer_id, created_at, id) WHERE left_minor > 0;
CREATE INDEX owed_shop ON bank.owed (shop, created_at) WHERE left_minor + lost_minor > 0;
CREATE INDEX owed_customer ON bank.owed (customer_id, created_at, id);
CREATE INDEX owed_cause ON bank.owed (cause_id);
GRANT SELECT, INSERT, UPDATE (left_minor) ON bank.owed TO alder_app;
