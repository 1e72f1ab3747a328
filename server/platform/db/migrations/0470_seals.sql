-- compatible from: 0447
-- Seals of the ledger: digests of what was booked, each of which names the one before (docs/decisions/0460).

-- Which SQL transaction made a row. Unlike ids and times, these numbers say what can still come: below the oldest transaction that
-- runs, nothing does. Rows from before have none. They are ordered by id, so that they can be read bit by bit.
ALTER TABLE ledger.operation ADD COLUMN posted_in bigint NOT NULL DEFAULT 0;
ALTER TABLE ledger.operation ALTER COLUMN posted_in SET DEFAULT txid_current();
CREATE INDEX operation_posted_in ON ledger.operation (posted_in) WHERE posted_in > 0;
ALTER TABLE ledger.account ADD COLUMN opened_in bigint NOT NULL DEFAULT 0;
ALTER TABLE ledger.account ALTER COLUMN opened_in SET DEFAULT txid_current();
CREATE INDEX account_opened_in ON ledger.account (opened_in) WHERE opened_in > 0;

-- Up to 1,024 accounts or operations with their transfers. A block reaches from the end of the one before, of its kind, to its own.
CREATE TABLE ledger.seal_block (
  seal      bigint NOT NULL,
  block     integer NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('account', 'operation')),
  -- Its end, which belongs to it: a transaction, and the id of a row. The last of a seal ends before all rows of a transaction.
  upto      bigint NOT NULL,
  upto_id   text NOT NULL,
  rows      integer NOT NULL,
  transfers integer NOT NULL,
  -- What its transfers moved, by asset.
  moved     text NOT NULL,
  digest    bytea NOT NULL,
  -- The ids of its rows and a few bytes of each digest, so that the one that was altered can be named.
  names     bytea NOT NULL,
  PRIMARY KEY (seal, block)
);
ALTER TABLE ledger.seal_block ALTER COLUMN names SET STORAGE EXTERNAL;

CREATE TABLE ledger.seal (
  number     bigint PRIMARY KEY,
  form       integer NOT NULL,
  -- Real time, and the last day of the bank's that was over by then.
  sealed_at  timestamptz NOT NULL,
  day        date,
  -- All that the transactions below this one have booked is in this seal or an earlier one.
  upto       bigint NOT NULL,
  blocks     integer NOT NULL,
  accounts   bigint NOT NULL,
  operations bigint NOT NULL,
  transfers  bigint NOT NULL,
  moved      text NOT NULL,
  root       text NOT NULL,
  previous   text NOT NULL,
  head       text NOT NULL
);

-- Before the first seal. In a bank that has a past, that one begins with the rows of no known transaction.
INSERT INTO ledger.seal
  SELECT 0, 1, now(), NULL,
         CASE WHEN EXISTS (SELECT FROM ledger.operation) OR EXISTS (SELECT FROM ledger.account) THEN 0 ELSE 1 END,
         0, 0, 0, 0, '{}', '', '', repeat('0', 64);

CREATE TRIGGER seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.seal
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER seal_block_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.seal_block
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
GRANT SELECT, INSERT ON ledger.seal, ledger.seal_block TO alder_app;
