-- compatible from: 0447
-- The secrets that the bank had before, the first one first, sealed under the one of now (npm run rotate). What cannot be made anew
-- under another secret holds on with them: account numbers, recovery codes, links that were sent.
CREATE TABLE bank.earlier_secret (
  place      integer PRIMARY KEY,
  sealed     bytea NOT NULL,
  retired_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON bank.earlier_secret TO alder_app;
