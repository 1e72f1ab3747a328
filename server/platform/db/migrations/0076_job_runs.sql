-- When each recurring job last succeeded, so that one that stopped running is noticed.
CREATE TABLE bank.job_run (
  name           text PRIMARY KEY,
  expected_since timestamptz NOT NULL,
  succeeded_at   timestamptz
);
GRANT SELECT, INSERT, UPDATE ON bank.job_run TO alder_app;
