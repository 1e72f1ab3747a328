-- What a database is (bank.database) is written before its first migration, by server/platform/db/record.ts. None but a
-- sample bank has a clock of its own: a server that takes a live bank for one cannot move its date.
ALTER TABLE bank.clock
  ADD COLUMN mode text NOT NULL DEFAULT 'sample' CHECK (mode = 'sample') REFERENCES bank.database (mode);
