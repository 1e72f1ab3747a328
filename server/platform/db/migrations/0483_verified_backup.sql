-- compatible from: 0447
-- When a backup was last restored and proved, in real time. There is a row once it has been, because then it is expected every night.
CREATE TABLE bank.verified_backup (
  one         boolean PRIMARY KEY DEFAULT true CHECK (one),
  verified_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON bank.verified_backup TO alder_app;
