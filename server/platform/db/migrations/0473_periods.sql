-- compatible from: 0447
-- Operations and transfers by the period they were booked in. A period that is over never changes again, so it is vacuumed and frozen
-- once, can be on another disk, and is the same in each backup. Ids stay unique over all periods (docs/decisions/0471).

-- Whoever pays waits behind it, and gives up after a second.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE ledger.operation, ledger.transfer IN ACCESS EXCLUSIVE MODE;

CREATE TABLE ledger.period (
  number   integer PRIMARY KEY,
  -- Real time.
  began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO ledger.period (number) VALUES (1);

-- What has to be so before a period ends; the policy's, which the owner writes at each start.
CREATE TABLE ledger.period_rule (
  single         boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- How much room its transfers take at least, without their indexes.
  ends_from_bytes bigint NOT NULL CHECK (ends_from_bytes > 0)
);
INSERT INTO ledger.period_rule (ends_from_bytes) VALUES (12884901888);

-- What there is becomes the first period. Its indexes keep their names, which the code knows: the indexes of the period under way
-- are always named so.
DROP TRIGGER apply_transfers ON ledger.transfer;
DO $$
DECLARE
  -- Views go with a table that is renamed.
  entries CONSTANT text := pg_get_viewdef('ledger.entry'::regclass);
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['operation', 'transfer'] LOOP
    EXECUTE format('ALTER TABLE ledger.%I RENAME TO %I', one, one || '_1');
    EXECUTE format('REVOKE ALL ON ledger.%I FROM alder_app', one || '_1');
    EXECUTE format('CREATE TABLE ledger.%I (LIKE ledger.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
      PARTITION BY LIST (period)', one, one || '_1');
    EXECUTE format('ALTER TABLE ledger.%I DROP CONSTRAINT %I', one, one || '_period');
    EXECUTE format('ALTER TABLE ledger.%I ATTACH PARTITION ledger.%I FOR VALUES IN (1)', one, one || '_1');
    EXECUTE format('ALTER TABLE ledger.%I DROP CONSTRAINT %I', one || '_1', one || '_period');
    EXECUTE format('GRANT SELECT, INSERT ON ledger.%I TO alder_app', one);
    -- Rows are only ever added: a page that is full is frozen once, soon after, and not all of them years later.
    EXECUTE format('ALTER TABLE ledger.%I SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_threshold = 100000,
      autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', one || '_1');
  END LOOP;
  EXECUTE 'CREATE OR REPLACE VIEW ledger.entry AS ' || entries;
END
$$;

CREATE TRIGGER operation_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.operation
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER period_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.period
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER apply_transfers AFTER INSERT ON ledger.transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.apply_transfers();

-- Indexes are unique within a period, and what would be known to an earlier one is refused here, as the index of one table would refuse it. Nothing
-- is added to an earlier period meanwhile: whoever adds holds a lock that ending a period waits for, and reads what is committed
-- once it has that lock. Only READ COMMITTED reads that late.
CREATE FUNCTION ledger.refuse_known() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  known uuid;
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'operations are added in READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
  END IF;
  IF EXISTS (SELECT FROM added WHERE period <> (SELECT number FROM ledger.period ORDER BY number DESC LIMIT 1)) THEN
    RAISE EXCEPTION 'operations are added to the period under way' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  SELECT a.id INTO known
    FROM added a, LATERAL (SELECT FROM ledger.operation WHERE id = a.id AND period < a.period LIMIT 1) o LIMIT 1;
  IF known IS NOT NULL THEN
    RAISE EXCEPTION 'operation % is known from an earlier period', known
      USING ERRCODE = 'unique_violation', SCHEMA = 'ledger', TABLE = 'operation', CONSTRAINT = 'operation_pkey';
  END IF;
  SELECT a.reverses INTO known
    FROM added a, LATERAL (SELECT FROM ledger.operation WHERE reverses = a.reverses AND period < a.period LIMIT 1) o
   WHERE a.reverses IS NOT NULL LIMIT 1;
  IF known IS NOT NULL THEN
    RAISE EXCEPTION 'operation % was reversed in an earlier period', known
      USING ERRCODE = 'unique_violation', SCHEMA = 'ledger', TABLE = 'operation', CONSTRAINT = 'operation_reverses';
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.refuse_known() FROM PUBLIC;

-- A partition of a table for a period: shaped, indexed and set as that of the period before, whose indexes give it their names.
CREATE FUNCTION ledger.add_partition(parent text, before integer) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  old CONSTANT text := format('%I.%I', 'ledger', parent || '_' || before);
  new CONSTANT text := format('%I.%I', 'ledger', parent || '_' || before + 1);
  options CONSTANT text[] := (SELECT reloptions FROM pg_class WHERE oid = old::regclass);
  index record;
BEGIN
  EXECUTE format('CREATE TABLE %s (LIKE ledger.%I INCLUDING CONSTRAINTS INCLUDING STORAGE) %s', new, parent,
    'WITH (' || array_to_string(options, ', ') || ')');
  FOR index IN
    SELECT c.relname AS name, i.indisprimary AS is_primary, pg_get_indexdef(c.oid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = old::regclass ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER INDEX ledger.%I RENAME TO %I', index.name, index.name || '_' || before);
    EXECUTE replace(index.definition, format(' ON %s USING ', old), format(' ON %s USING ', new));
    IF index.is_primary THEN
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', new, index.name, index.name);
    END IF;
  END LOOP;
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()',
    parent || '_append_only', new);
  EXECUTE format('ALTER TABLE ledger.%I ATTACH PARTITION %s FOR VALUES IN (%s)', parent, new, before + 1);
  EXECUTE format('ALTER TABLE ONLY ledger.%I ALTER COLUMN period SET DEFAULT %s', parent, before + 1);
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.add_partition(text, integer) FROM PUBLIC;

-- The first of the last two periods, which readers ask first. Its body is a number, and PostgreSQL puts that into a plan in place of
-- the call: so a plan names the last two partitions alone. Each period that begins has it made anew.
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

-- Ends the period under way and begins the next one. Whoever pays meanwhile waits behind it, so it waits for its locks far shorter
-- than a payment does, and whoever calls it tries again. The transaction should end at once.
CREATE FUNCTION ledger.begin_period() RETURNS integer
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
REVOKE EXECUTE ON FUNCTION ledger.begin_period() FROM PUBLIC;

-- Whether the period under way has seen a month end, and is as large as one should be.
-- Months are compared as numbers: how a date reads as text is a setting of the database.
CREATE FUNCTION ledger.period_is_due() RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT (extract(year FROM ledger.day_of(began_at)), extract(month FROM ledger.day_of(began_at)))
       < (extract(year FROM ledger.day_of(now())), extract(month FROM ledger.day_of(now())))
     AND pg_table_size(format('ledger.%I', 'transfer_' || number)::regclass) >= (SELECT ends_from_bytes FROM ledger.period_rule)
    FROM ledger.period ORDER BY number DESC LIMIT 1
$$;

-- What the serving role may have done, which may not change tables. Answers the new period, or null where none was due. The lock has
-- a statement of its own: a statement sees only what was committed before it began. In one statement with the lock, a second server could
-- get the lock just after the first had begun a period, would not see that period, and would begin another.
CREATE FUNCTION ledger.begin_due_period() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(4117203316) THEN RETURN NULL; END IF;
  IF NOT ledger.period_is_due() THEN RETURN NULL; END IF;
  RETURN ledger.begin_period();
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.begin_due_period() FROM PUBLIC;

-- PostgreSQL keeps statistics of each partition by itself, and those of all of them together only where somebody asks for it.
CREATE FUNCTION ledger.statistics_are_old() RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT bool_or(parts > greatest(whole, 0) * 1.2 + 1000)
    FROM (SELECT p.reltuples AS whole, sum(greatest(c.reltuples, 0)) AS parts
            FROM pg_class p JOIN pg_inherits ON inhparent = p.oid JOIN pg_class c ON c.oid = inhrelid
           WHERE p.oid IN ('ledger.operation'::regclass, 'ledger.transfer'::regclass) GROUP BY p.oid, p.reltuples) sizes
$$;
CREATE FUNCTION ledger.refresh_statistics() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms'
AS $$
BEGIN
  IF ledger.statistics_are_old() THEN ANALYZE ledger.operation, ledger.transfer; END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.refresh_statistics() TO alder_app;
GRANT SELECT ON ledger.period, ledger.period_rule TO alder_app;
GRANT EXECUTE ON FUNCTION ledger.begin_due_period() TO alder_app;

-- As before, but that transfers go with their operation into the period under way, and that a hold is ended in the table of
-- unposted holds: a row for each hold, whichever period it is of, so that two who end one meet there. That comes before balances
-- move: what is known already says so, and not that too little is held.
DO $$
DECLARE
  before CONSTANT text := pg_get_functiondef('ledger.apply_transfers()'::regprocedure);
  moves CONSTANT integer := position('  WITH side AS (' IN before);
  checks CONSTANT integer := position('  SELECT string_agg(a.operation_id::text' IN before);
  sums CONSTANT integer := position('  IF full_ids IS NOT NULL' IN before);
BEGIN
  IF moves = 0 OR checks < moves OR sums < checks THEN
    RAISE EXCEPTION 'ledger.apply_transfers() is not as 0373_holds_one_by_one.sql left it';
  END IF;
  EXECUTE left(before, moves - 1) || $body$
  SELECT string_agg(a.operation_id::text, ', ') INTO wrong
    FROM added a LEFT JOIN ledger.operation o ON o.id = a.operation_id AND o.period = a.period
   WHERE o.id IS NULL OR a.period <> (SELECT number FROM ledger.period ORDER BY number DESC LIMIT 1);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'transfers without an operation: %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;

  IF EXISTS (SELECT 1 FROM added WHERE kind <> 'transfer') THEN
    INSERT INTO ledger.unposted_hold
      SELECT hold_id, debit_account, credit_account, held_minor, booked_at, true FROM added WHERE kind = 'hold';
    -- A post or void must release just what its hold set aside, from the same accounts, and once.
    WITH voided AS (
      UPDATE ledger.unposted_hold h SET open = false FROM added a
       WHERE a.kind = 'void' AND h.hold_id = a.hold_id AND h.open AND h.held_minor = -a.held_minor
         AND h.debit_account = a.debit_account AND h.credit_account = a.credit_account
      RETURNING h.hold_id
    ), posted AS (
      DELETE FROM ledger.unposted_hold h USING added a
       WHERE a.kind = 'post' AND h.hold_id = a.hold_id AND h.open AND h.held_minor = -a.held_minor
         AND h.debit_account = a.debit_account AND h.credit_account = a.credit_account
      RETURNING h.hold_id
    )
    SELECT string_agg(a.hold_id::text, ', ') INTO wrong FROM added a
     WHERE a.kind IN ('post', 'void')
       AND a.hold_id NOT IN (SELECT hold_id FROM voided UNION ALL SELECT hold_id FROM posted);
    IF wrong IS NOT NULL THEN
      IF EXISTS (SELECT FROM added a, LATERAL (SELECT FROM ledger.transfer
                   WHERE hold_id = a.hold_id AND kind IN ('post', 'void') AND operation_id <> a.operation_id LIMIT 1) earlier
                  WHERE a.kind IN ('post', 'void')) THEN
        RAISE EXCEPTION 'holds have ended before: %', wrong
          USING ERRCODE = 'unique_violation', SCHEMA = 'ledger', TABLE = 'transfer', CONSTRAINT = 'transfer_resolution';
      END IF;
      RAISE EXCEPTION 'holds are not as they were made: %', wrong USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END IF;

$body$ || substr(before, moves, checks - moves) || substr(before, sums);
END
$$;
