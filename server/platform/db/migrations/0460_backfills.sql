-- compatible from: 0447
-- How far each backfill has come: work on rows of before that is too long for a migration (server/platform/jobs/backfill.ts).
CREATE TABLE bank.backfill (
  name      text PRIMARY KEY,
  -- The oldest level whose servers keep what it brings up to date. It begins once none below serves, and again after one has.
  kept_from integer NOT NULL,
  -- The last key that is done; null before the first.
  after_key text,
  done_rows bigint NOT NULL DEFAULT 0,
  done_at   timestamptz
);
-- Servers that serve go on with it; a server that migrates has it begin again.
GRANT SELECT, UPDATE ON bank.backfill TO alder_app;

-- A server of before 0390 that sums up entries beside a newer one leaves its payees' months out.
INSERT INTO bank.backfill (name, kept_from) VALUES ('insights.payee_months', 390);
