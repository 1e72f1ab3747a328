-- The one place in SQL where an instant becomes a day of the bank; server/calendar/zone.ts is the one in TypeScript.
CREATE FUNCTION ledger.day_of(instant timestamptz) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (instant AT TIME ZONE 'UTC')::date $$;

CREATE OR REPLACE VIEW ledger.flow AS
  SELECT e.account_id, e.version, ledger.day_of(e.booked_at) AS day, coalesce(e.category, '') AS category,
         greatest(e.amount_minor, 0) AS in_minor, greatest(-e.amount_minor, 0) AS out_minor,
         theirs.holder_id IS NOT DISTINCT FROM mine.holder_id AS own
    FROM ledger.entry e
    JOIN ledger.account mine ON mine.id = e.account_id
    JOIN ledger.account theirs ON theirs.id = e.counter_account
   WHERE mine.holder_id IS NOT NULL;
