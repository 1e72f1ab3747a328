-- compatible from: 0447
-- What customers look at is mostly new: readers ask the last two periods first, and the others only where those do not have it all
-- (docs/decisions/0471).
-- Readers of the views wait behind this lock.
SET LOCAL lock_timeout = '500ms';

-- Both as before, with the period.
CREATE OR REPLACE VIEW ledger.entry AS
  SELECT debit_account AS account_id, debit_version AS version, 'debit' AS side, -amount_minor AS amount_minor,
         debit_balance_minor AS balance_minor, credit_account AS counter_account,
         operation_id, leg, kind, asset, hold_id, booked_at,
         debit_name AS name, label, category, method, params, note, settles_at, period
    FROM ledger.transfer WHERE amount_minor > 0
  UNION ALL
  SELECT credit_account, credit_version, 'credit', amount_minor,
         credit_balance_minor, debit_account,
         operation_id, leg, kind, asset, hold_id, booked_at,
         credit_name, label, category, method, params, note, settles_at, period
    FROM ledger.transfer WHERE amount_minor > 0;
CREATE OR REPLACE VIEW ledger.flow AS
  SELECT e.account_id, e.version, ledger.day_of(e.booked_at) AS day, coalesce(e.category, '') AS category,
         greatest(e.amount_minor, 0) AS in_minor, greatest(-e.amount_minor, 0) AS out_minor,
         theirs.holder_id IS NOT DISTINCT FROM mine.holder_id AS own, e.period
    FROM ledger.entry e
    JOIN ledger.account mine ON mine.id = e.account_id
    JOIN ledger.account theirs ON theirs.id = e.counter_account
   WHERE mine.holder_id IS NOT NULL;
