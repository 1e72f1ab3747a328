-- Sums are wider than amounts. An amount, and whatever stands on a customer's account, is at most 2^53-1; the bank's own
-- accounts move with all customers together, so what stands on them has no ceiling.

DROP VIEW ledger.entry;

ALTER TABLE ledger.account
  ALTER COLUMN balance_minor TYPE numeric,
  ALTER COLUMN held_minor TYPE numeric,
  -- On its way in by open holds: counted into a customer's ceiling, so that what was promised can always be booked.
  ADD COLUMN incoming_minor numeric NOT NULL DEFAULT 0,
  DROP CONSTRAINT account_exact,
  DROP CONSTRAINT account_held,
  ADD CONSTRAINT account_exact CHECK (holder_id IS NULL OR balance_minor BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT account_whole CHECK (scale(balance_minor) = 0 AND scale(held_minor) = 0 AND scale(incoming_minor) = 0),
  ADD CONSTRAINT account_held CHECK (held_minor >= 0 AND incoming_minor >= 0);

ALTER TABLE ledger.transfer
  ALTER COLUMN debit_balance_minor TYPE numeric,
  ALTER COLUMN credit_balance_minor TYPE numeric;

UPDATE ledger.account a SET incoming_minor = h.minor
  FROM (SELECT credit_account, sum(held_minor) AS minor FROM ledger.transfer h
         WHERE kind = 'hold' AND NOT EXISTS (
           SELECT 1 FROM ledger.transfer r WHERE r.hold_id = h.hold_id AND r.kind IN ('post', 'void'))
         GROUP BY credit_account) h
 WHERE a.id = h.credit_account;

-- Units of one fund are not units of another, so each fund is an asset. The one asset for all was never held.
INSERT INTO ledger.asset VALUES ('FUND_CONSERVATIVE', 6), ('FUND_BALANCED', 6), ('FUND_AGGRESSIVE', 6);
ALTER TABLE ledger.account DISABLE TRIGGER account_not_deleted;
DELETE FROM ledger.account WHERE asset = 'FUND' AND holder_id IS NULL AND version = 0 AND held_minor = 0;
ALTER TABLE ledger.account ENABLE TRIGGER account_not_deleted;
DELETE FROM ledger.asset WHERE code = 'FUND' AND NOT EXISTS (SELECT 1 FROM ledger.account WHERE asset = 'FUND');
