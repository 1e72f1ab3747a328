-- compatible from: 0447
-- As 0473_periods.sql made them, but for what is said here.

-- Months are compared as numbers: how a date reads as text is a setting of the database.
CREATE OR REPLACE FUNCTION ledger.period_is_due() RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT (extract(year FROM ledger.day_of(began_at)), extract(month FROM ledger.day_of(began_at)))
       < (extract(year FROM ledger.day_of(now())), extract(month FROM ledger.day_of(now())))
     AND pg_table_size(format('ledger.%I', 'transfer_' || number)::regclass) >= (SELECT ends_from_bytes FROM ledger.period_rule)
    FROM ledger.period ORDER BY number DESC LIMIT 1
$$;

-- Each statement sees what was committed before it begins. So the lock is one by itself: asked in the same one, whoever got the lock
-- just as another one had begun a period would not see that, and would begin one more. The lock's number is no other's;
-- a change of secrets took the one before.
CREATE OR REPLACE FUNCTION ledger.begin_due_period() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(4117203316) THEN RETURN NULL; END IF;
  IF NOT ledger.period_is_due() THEN RETURN NULL; END IF;
  RETURN ledger.begin_period();
END
$$;
