-- What a request that creates something was answered, under its Idempotency-Key. Money is known by the ledger's own ids.
CREATE TABLE bank.request (
  key         uuid PRIMARY KEY,
  fingerprint text NOT NULL,
  result      jsonb,
  made_at     timestamptz NOT NULL
);
CREATE INDEX request_made ON bank.request (made_at);
GRANT SELECT, INSERT, UPDATE (result), DELETE ON bank.request TO alder_app;
