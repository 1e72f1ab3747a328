-- compatible from: 0447
-- Mails are removed once they are a year old (server/platform/retention.ts). They are found by their ids, which say when they were made.
SET LOCAL lock_timeout = '500ms';
GRANT DELETE ON bank.mail TO alder_app;

-- When PostgreSQL cleans up. Its own rule, a fifth of the table, is rare and long where a table is large.

-- Rows that never change: a page is frozen as soon as it is full, while it is still in memory. Else all of them are read and
-- written again together, 200 million transactions later. Transfers and operations have this from 0473_periods.sql.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['ledger.search_block', 'ledger.seal_block', 'bank.security_event'] LOOP
    EXECUTE format('ALTER TABLE %s SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_threshold = 20000,
      autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', one);
  END LOOP;
END
$$;

-- Added for a year, read once, and removed by thousands an hour: what was removed makes room for what comes.
ALTER TABLE bank.notification SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE bank.mail SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02);

-- Rows that come and go, or change in a column that an index has, so that each change leaves a dead entry in every index.
ALTER TABLE ledger.unposted_hold SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE ledger.refusal SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE bank.card_authorisation SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
ALTER TABLE bank.contact SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Rows that change with each request or payment, in no column that an index has: there is room beside them, and what changed is
-- cleaned up within the page as long as the rest of the page is.
ALTER TABLE ledger.account SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE bank.rate_limit SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
