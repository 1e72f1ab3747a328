-- What a line says belongs to the leg: a payment, its fee and its points each read differently. What is kept is a code
-- with parameters; only names and notes are text. Applied operations stay for ever; refusals move to a table of their
-- own, from which they are purged. This rewrites what was booked into the new form, once, and loses none of it.

ALTER TABLE ledger.transfer
  ADD COLUMN booked_at   timestamptz,
  ADD COLUMN debit_name  text,
  ADD COLUMN credit_name text,
  ADD COLUMN label       text,
  ADD COLUMN category    text,
  ADD COLUMN method      text,
  ADD COLUMN params      jsonb,
  ADD COLUMN note        text,
  ADD COLUMN settles_at  timestamptz;

ALTER TABLE ledger.transfer DISABLE TRIGGER transfer_append_only;
UPDATE ledger.transfer t SET
    booked_at = o.booked_at,
    debit_name = CASE WHEN points THEN NULL ELSE o.debit_name END,
    credit_name = CASE WHEN points OR o.kind LIKE 'top\_up.%' THEN NULL ELSE o.credit_name END,
    label = CASE WHEN o.kind LIKE 'rewards.%' THEN replace(o.kind, 'rewards.', 'points.')
                 WHEN points THEN 'points.payment'
                 WHEN o.kind = 'top_up.settle' THEN 'top_up.bank'
                 WHEN o.kind IN ('top_up.card', 'top_up.bank', 'top_up.wallet') THEN o.kind END,
    category = CASE WHEN points THEN NULL ELSE o.category END,
    method = CASE WHEN points THEN NULL
                  WHEN o.method = 'Card' THEN 'card'
                  WHEN o.method = 'Bank transfer' THEN 'bank_transfer'
                  WHEN o.method = 'Digital wallet' THEN 'wallet'
                  WHEN o.method = 'Alder transfer' THEN 'alder_transfer'
                  WHEN o.method = 'Direct debit' THEN 'direct_debit'
                  WHEN o.method = 'Between your accounts' THEN 'own_accounts'
                  WHEN o.method ~ '^Debit card •••• \d{4}$' THEN 'debit_card'
                  WHEN o.method ~ '^Virtual card •••• \d{4}$' THEN 'virtual_card'
                  WHEN o.method ~ '^Credit card •••• \d{4}$' THEN 'credit_card' END,
    params = CASE WHEN NOT points AND o.method ~ '^(Debit|Virtual|Credit) card •••• \d{4}$'
                  THEN jsonb_build_object('lastFour', right(o.method, 4)) END,
    note = CASE WHEN points THEN NULL ELSE o.note END,
    settles_at = o.settles_at
  FROM (SELECT o.*, leg, asset = 'POINTS' AS points
          FROM ledger.operation o JOIN ledger.transfer ON operation_id = o.id) o
 WHERE o.id = t.operation_id AND o.leg = t.leg;
ALTER TABLE ledger.transfer ENABLE TRIGGER transfer_append_only;

ALTER TABLE ledger.transfer
  ALTER COLUMN booked_at SET NOT NULL,
  ADD CONSTRAINT transfer_params CHECK (params IS NULL OR jsonb_typeof(params) = 'object');

-- Kept as long as a repeated request can need it; docs/decisions/0042.
CREATE TABLE ledger.refusal (
  operation_id uuid PRIMARY KEY,
  fingerprint  text NOT NULL,
  code         text NOT NULL,
  -- Real time, which decides when it is forgotten.
  refused_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refusal_refused_at ON ledger.refusal (refused_at);
GRANT SELECT, INSERT, DELETE ON ledger.refusal TO alder_app;

INSERT INTO ledger.refusal (operation_id, fingerprint, code)
  SELECT id, fingerprint, refusal FROM ledger.operation WHERE refusal IS NOT NULL;
ALTER TABLE ledger.operation DISABLE TRIGGER operation_append_only;
DELETE FROM ledger.operation WHERE refusal IS NOT NULL;
ALTER TABLE ledger.operation ENABLE TRIGGER operation_append_only;

DROP INDEX ledger.operation_reverses;
ALTER TABLE ledger.operation
  DROP COLUMN refusal,
  DROP COLUMN debit_name,
  DROP COLUMN credit_name,
  DROP COLUMN category,
  DROP COLUMN method,
  DROP COLUMN note,
  DROP COLUMN settles_at;
CREATE UNIQUE INDEX operation_reverses ON ledger.operation (reverses) WHERE reverses IS NOT NULL;

-- One account's side of a transfer: what it did to the balance, what the balance was after, which one it was, and
-- what the account's holder reads.
CREATE VIEW ledger.entry AS
  SELECT debit_account AS account_id, debit_version AS version, 'debit' AS side, -amount_minor AS amount_minor,
         debit_balance_minor AS balance_minor, credit_account AS counter_account,
         operation_id, leg, kind, asset, hold_id, booked_at,
         debit_name AS name, label, category, method, params, note, settles_at
    FROM ledger.transfer WHERE amount_minor > 0
  UNION ALL
  SELECT credit_account, credit_version, 'credit', amount_minor,
         credit_balance_minor, debit_account,
         operation_id, leg, kind, asset, hold_id, booked_at,
         credit_name, label, category, method, params, note, settles_at
    FROM ledger.transfer WHERE amount_minor > 0;
GRANT SELECT ON ledger.entry TO alder_app;
