-- compatible from: 0447
-- Notices by the period they were written in. A period that is over gets no more of them, and goes as a whole once all of it is old
-- (docs/decisions/0472).

-- Payments wait behind this lock, and give up after a second.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE bank.notification IN ACCESS EXCLUSIVE MODE;

-- Those that there are; one that is dropped leaves.
CREATE TABLE bank.notice_period (
  number   integer PRIMARY KEY,
  -- Real time.
  began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO bank.notice_period (number) VALUES (1);

-- What has to be so before a period ends; the policy's, which the owner writes at each start.
CREATE TABLE bank.notice_period_rule (
  single          boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- How much room its notices take at least, without their indexes.
  ends_from_bytes bigint NOT NULL CHECK (ends_from_bytes > 0)
);
INSERT INTO bank.notice_period_rule (ends_from_bytes) VALUES (8589934592);
GRANT SELECT ON bank.notice_period, bank.notice_period_rule TO alder_app;

-- The present table becomes the first period.
ALTER TABLE bank.notification RENAME TO notification_1;
REVOKE ALL ON bank.notification_1 FROM alder_app;
REVOKE UPDATE (read_at) ON bank.notification_1 FROM alder_app;
CREATE TABLE bank.notification (LIKE bank.notification_1 INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
  PARTITION BY LIST (period);
ALTER TABLE bank.notification DROP CONSTRAINT notification_period;
ALTER TABLE bank.notification ATTACH PARTITION bank.notification_1 FOR VALUES IN (1);
ALTER TABLE bank.notification_1 DROP CONSTRAINT notification_period;
-- Not into which period: nobody adds to one that is over, or moves a notice to another.
GRANT SELECT, DELETE, INSERT (id, customer_id, kind, params, created_at, read_at), UPDATE (read_at) ON bank.notification TO alder_app;

-- A partition of a table for a period: shaped and set as that of the period before, with its foreign keys, its triggers and its
-- indexes, which give it their names. For whichever table is kept by periods.
CREATE FUNCTION ledger.add_partition(parent regclass, before integer) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  schema CONSTANT text := (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = parent);
  name CONSTANT text := (SELECT relname FROM pg_class WHERE oid = parent);
  old CONSTANT text := format('%s.%I', schema, name || '_' || before);
  new CONSTANT text := format('%s.%I', schema, name || '_' || before + 1);
  options CONSTANT text[] := (SELECT reloptions FROM pg_class WHERE oid = old::regclass);
  one record;
BEGIN
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING CONSTRAINTS INCLUDING STORAGE) %s', new, parent,
    'WITH (' || array_to_string(options, ', ') || ')');
  FOR one IN
    SELECT c.relname AS name, i.indisprimary AS is_primary, pg_get_indexdef(c.oid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = old::regclass AND i.indisvalid ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER INDEX %s.%I RENAME TO %I', schema, one.name, one.name || '_' || before);
    EXECUTE replace(one.definition, format(' ON %s USING ', old), format(' ON %s USING ', new));
    IF one.is_primary THEN
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', new, one.name, one.name);
    END IF;
  END LOOP;
  FOR one IN
    SELECT conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE conrelid = old::regclass AND contype = 'f' AND conparentid = 0
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', new, one.name, one.definition);
  END LOOP;
  FOR one IN
    SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = old::regclass AND NOT tgisinternal AND tgparentid = 0
  LOOP
    EXECUTE replace(one.definition, format(' ON %s ', old), format(' ON %s ', new));
  END LOOP;
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES IN (%s)', parent, new, before + 1);
  EXECUTE format('ALTER TABLE ONLY %s ALTER COLUMN period SET DEFAULT %s', parent, before + 1);
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.add_partition(regclass, integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION ledger.add_partition(parent text, before integer) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$ SELECT ledger.add_partition(format('ledger.%I', parent)::regclass, before) $$;

-- Whether a period has seen a month end, and is as large as one should be.
-- Months are compared as numbers: how a date reads as text is a setting of the database.
CREATE FUNCTION ledger.is_period_full(began_at timestamptz, partition regclass, least_bytes bigint) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT (extract(year FROM ledger.day_of(began_at)), extract(month FROM ledger.day_of(began_at)))
       < (extract(year FROM ledger.day_of(now())), extract(month FROM ledger.day_of(now())))
     AND pg_table_size(partition) >= least_bytes
$$;
CREATE OR REPLACE FUNCTION ledger.period_is_due() RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.is_period_full(began_at, format('ledger.%I', 'transfer_' || number)::regclass, (SELECT ends_from_bytes FROM ledger.period_rule))
    FROM ledger.period ORDER BY number DESC LIMIT 1
$$;
CREATE FUNCTION bank.notice_period_is_due() RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.is_period_full(began_at, format('bank.%I', 'notification_' || number)::regclass, (SELECT ends_from_bytes FROM bank.notice_period_rule))
    FROM bank.notice_period ORDER BY number DESC LIMIT 1
$$;

-- Ends the period under way and begins the next one, as ledger.begin_period() does.
CREATE FUNCTION bank.begin_notice_period() RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  before integer;
BEGIN
  -- The foreign key asks for customers too.
  LOCK TABLE bank.customer IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE ONLY bank.notification IN ACCESS EXCLUSIVE MODE;
  SELECT max(number) INTO before FROM bank.notice_period;
  PERFORM ledger.add_partition('bank.notification'::regclass, before);
  INSERT INTO bank.notice_period (number, began_at) VALUES (before + 1, clock_timestamp());
  RETURN before + 1;
END
$$;
REVOKE EXECUTE ON FUNCTION bank.begin_notice_period() FROM PUBLIC;

-- What the serving role may have done, which may not change tables. Answers the new period, or null where none was due.
CREATE FUNCTION bank.begin_due_notice_period() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- Each in a statement of its own, as in ledger.begin_due_period().
  IF NOT pg_try_advisory_xact_lock(4117203314) THEN RETURN NULL; END IF;
  IF NOT bank.notice_period_is_due() THEN RETURN NULL; END IF;
  RETURN bank.begin_notice_period();
END
$$;

-- Drops the first period that is over and has nothing that was told at a time or later, and answers its number, or null where there is none.
-- Nothing comes into such a period, and its times do not change, so what is found before it is locked stays true.
CREATE FUNCTION bank.drop_notice_period(told_before timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off
AS $$
DECLARE
  one integer;
  has_younger boolean;
BEGIN
  IF told_before IS NULL THEN RETURN NULL; END IF;
  IF NOT pg_try_advisory_xact_lock(4117203314) THEN RETURN NULL; END IF;
  FOR one IN SELECT number FROM bank.notice_period WHERE number < (SELECT max(number) FROM bank.notice_period) ORDER BY number LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM bank.%I WHERE created_at >= $1)', 'notification_' || one) INTO has_younger USING told_before;
    CONTINUE WHEN has_younger;
    -- A vacuum of it may take long: this lock waits for that, and customers do not wait behind it.
    EXECUTE format('LOCK TABLE ONLY bank.%I IN SHARE UPDATE EXCLUSIVE MODE', 'notification_' || one);
    -- Its foreign key goes with it.
    LOCK TABLE ONLY bank.customer, ONLY bank.notification IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('DROP TABLE bank.%I', 'notification_' || one);
    DELETE FROM bank.notice_period WHERE number = one;
    RETURN one;
  END LOOP;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION bank.begin_due_notice_period(), bank.drop_notice_period(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bank.begin_due_notice_period(), bank.drop_notice_period(timestamptz) TO alder_app;
