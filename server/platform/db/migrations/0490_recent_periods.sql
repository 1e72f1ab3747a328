-- compatible from: 0447
-- What customers look at is mostly new: readers ask the last two periods first, and the others only where those do not have it all
-- (docs/decisions/0471).
-- Whoever reads waits behind it.
SET LOCAL lock_timeout = '500ms';

-- From which period on that is. Its body is a number, which PostgreSQL puts into a plan in place of the call: so a plan names
-- the last two partitions alone, and each period that begins has it made anew.
CREATE FUNCTION ledger.set_recent_period(newest integer) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION ledger.recent_period() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    'SELECT ' || newest - 1);
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.set_recent_period(integer) FROM PUBLIC;
SELECT ledger.set_recent_period(max(number)) FROM ledger.period;

-- As before, but that it says so.
CREATE OR REPLACE FUNCTION ledger.begin_period() RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  before integer;
BEGIN
  LOCK TABLE ONLY ledger.operation, ONLY ledger.transfer IN ACCESS EXCLUSIVE MODE;
  SELECT max(number) INTO before FROM ledger.period;
  PERFORM ledger.add_partition('operation', before), ledger.add_partition('transfer', before);
  -- While there is one period, its indexes say all that there is to say.
  IF before = 1 THEN
    CREATE TRIGGER operation_known AFTER INSERT ON ledger.operation
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_known();
  END IF;
  INSERT INTO ledger.period (number, began_at) VALUES (before + 1, clock_timestamp());
  PERFORM ledger.set_recent_period(before + 1);
  RETURN before + 1;
END
$$;

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
