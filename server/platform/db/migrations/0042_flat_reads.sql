-- What makes reading as fast at 100,000 entries as at 100. All of it follows from the transfers, is written by the
-- trigger alone, in the transaction that adds them, and is proved by the audit.

-- Holds that have not become entries: open ones, and those that were given back. A posted one is an entry.
CREATE TABLE ledger.unposted_hold (
  hold_id        uuid PRIMARY KEY,
  debit_account  bigint NOT NULL,
  credit_account bigint NOT NULL,
  held_minor     bigint NOT NULL,
  booked_at      timestamptz NOT NULL,
  open           boolean NOT NULL
);
CREATE INDEX unposted_hold_debit ON ledger.unposted_hold (debit_account, open, booked_at, hold_id);
CREATE INDEX unposted_hold_credit ON ledger.unposted_hold (credit_account, open, booked_at, hold_id);
DROP INDEX ledger.transfer_hold_debit;
DROP INDEX ledger.transfer_hold_credit;

INSERT INTO ledger.unposted_hold
  SELECT h.hold_id, h.debit_account, h.credit_account, h.held_minor, h.booked_at, r.kind IS NULL
    FROM ledger.transfer h
    LEFT JOIN ledger.transfer r ON r.hold_id = h.hold_id AND r.kind IN ('post', 'void')
   WHERE h.kind = 'hold' AND r.kind IS DISTINCT FROM 'post';

-- A customer's account is summed up and made searchable 64 entries at a time, when the last of them is added: nearly
-- all postings pay nothing for it, and a reader has at most 63 entries left to look at one by one.
CREATE FUNCTION ledger.summed_up_to(version bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT version - version % 64';

-- What came in and went out on a business day (UTC), by category ('' for none); moves between accounts of one holder
-- are left out.
CREATE TABLE ledger.daily_flow (
  account_id bigint NOT NULL,
  day        date NOT NULL,
  category   text NOT NULL,
  in_minor   numeric NOT NULL,
  out_minor  numeric NOT NULL,
  PRIMARY KEY (account_id, day, category)
);

-- What can be found of the entries block * 64 + 1 to block * 64 + 64 of an account.
CREATE TABLE ledger.search_block (
  account_id bigint NOT NULL,
  block      bigint NOT NULL,
  words      text NOT NULL,
  tokens     text NOT NULL,
  PRIMARY KEY (account_id, block)
);
ALTER TABLE ledger.search_block ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN tokens SET STORAGE EXTERNAL;

CREATE FUNCTION ledger.values_of(params jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(jsonb_path_query_array(params, '$.*')::text, '[]",', '')
$$;

-- What people typed, as a search looks through it: in lower case, line by line.
CREATE FUNCTION ledger.search_words(name text, params jsonb, note text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(concat_ws(E'\n', name, note, ledger.values_of(params)))
$$;

-- What is found as a whole: the label (where no name is read instead), the method with its parameters, the amount.
CREATE FUNCTION ledger.search_tokens(name text, label text, method text, params jsonb, amount_minor bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT E'\x01' || CASE WHEN name IS NULL THEN coalesce(label, '') ELSE '' END
    || E'\x01' || coalesce(method, '')
    || E'\x02' || coalesce(lower(ledger.values_of(params)), '')
    || E'\x03' || abs(amount_minor) || E'\x03'
$$;

-- The entries of a customer's account that are summed up, as the sums and the search see them.
CREATE VIEW ledger.flow AS
  SELECT e.account_id, e.version, (e.booked_at AT TIME ZONE 'UTC')::date AS day, coalesce(e.category, '') AS category,
         greatest(e.amount_minor, 0) AS in_minor, greatest(-e.amount_minor, 0) AS out_minor,
         theirs.holder_id IS NOT DISTINCT FROM mine.holder_id AS own
    FROM ledger.entry e
    JOIN ledger.account mine ON mine.id = e.account_id
    JOIN ledger.account theirs ON theirs.id = e.counter_account
   WHERE mine.holder_id IS NOT NULL;
CREATE VIEW ledger.findable AS
  SELECT account_id, version, (version - 1) / 64 AS block,
         ledger.search_words(name, params, note) AS words,
         ledger.search_tokens(name, label, method, params, amount_minor) AS tokens
    FROM ledger.entry;

-- OFFSET 0 keeps each account's part a query of its own, which finds its entries by the index. Joined with the rest, the
-- planner reads the whole ledger, since it cannot hand a join's condition down into the halves of ledger.entry.
CREATE FUNCTION ledger.sum_up(ids bigint[], after bigint[], upto bigint[]) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
  INSERT INTO ledger.daily_flow AS d (account_id, day, category, in_minor, out_minor)
  SELECT f.account_id, f.day, f.category, sum(f.in_minor), sum(f.out_minor)
    FROM unnest(ids, after, upto) due (id, after, upto),
         LATERAL (SELECT * FROM ledger.flow
                   WHERE account_id = due.id AND version > due.after AND version <= due.upto OFFSET 0) f
   WHERE NOT f.own
   GROUP BY f.account_id, f.day, f.category
  ON CONFLICT (account_id, day, category) DO UPDATE
    SET in_minor = d.in_minor + excluded.in_minor, out_minor = d.out_minor + excluded.out_minor;

  INSERT INTO ledger.search_block (account_id, block, words, tokens)
  SELECT f.account_id, f.block, string_agg(f.words, E'\n' ORDER BY f.version), string_agg(f.tokens, '' ORDER BY f.version)
    FROM unnest(ids, after, upto) due (id, after, upto),
         LATERAL (SELECT * FROM ledger.findable
                   WHERE account_id = due.id AND version > due.after AND version <= due.upto OFFSET 0) f
   GROUP BY f.account_id, f.block;
END
$$;
REVOKE EXECUTE ON FUNCTION ledger.sum_up(bigint[], bigint[], bigint[]) FROM PUBLIC;

-- As 0001_ledger.sql, but that it also keeps what is on its way in, the unposted holds and the sums.
CREATE OR REPLACE FUNCTION ledger.apply_transfers() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  wrong text;
  full_ids bigint[];
  full_after bigint[];
  full_upto bigint[];
BEGIN
  WITH side AS (
    SELECT debit_account AS id, asset, -amount_minor AS moved, held_minor AS held, 0 AS incoming,
           debit_version AS version, debit_balance_minor AS after
      FROM added
    UNION ALL
    SELECT credit_account, asset, amount_minor, 0, held_minor, credit_version, credit_balance_minor
      FROM added
  ), net AS (
    SELECT id, asset, sum(moved) AS moved, sum(held) AS held, sum(incoming) AS incoming, count(version) AS entries,
           min(version) AS first, max(version) AS last,
           (max(ARRAY[version, after]) FILTER (WHERE version IS NOT NULL))[2] AS after
      FROM side GROUP BY id, asset
  ), moved AS (
    UPDATE ledger.account a
       SET balance_minor = a.balance_minor + net.moved,
           held_minor = a.held_minor + net.held,
           incoming_minor = a.incoming_minor + net.incoming,
           version = a.version + net.entries
      FROM net
     WHERE a.id = net.id AND a.asset = net.asset
       AND (net.entries = 0 OR net.first = a.version + 1 AND net.last = a.version + net.entries
            AND net.after = a.balance_minor + net.moved)
    RETURNING a.id, a.asset, a.holder_id, ledger.summed_up_to(a.version - net.entries) AS summed,
              ledger.summed_up_to(a.version) AS upto
  ), due AS (
    SELECT array_agg(id) AS ids, array_agg(summed) AS after, array_agg(upto) AS upto
      FROM moved WHERE upto > summed AND holder_id IS NOT NULL
  )
  SELECT (SELECT string_agg(net.id::text, ', ') FROM net WHERE (net.id, net.asset) NOT IN (SELECT id, asset FROM moved)),
         due.ids, due.after, due.upto
    INTO wrong, full_ids, full_after, full_upto FROM due;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'transfers do not follow from the accounts they name: %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;

  SELECT string_agg(a.operation_id::text, ', ') INTO wrong
    FROM added a LEFT JOIN ledger.operation o ON o.id = a.operation_id
   WHERE o.id IS NULL;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'transfers without an operation: %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;

  IF EXISTS (SELECT 1 FROM added WHERE kind <> 'transfer') THEN
    -- A post or void must release just what its hold set aside, from the same accounts.
    SELECT string_agg(a.hold_id::text, ', ') INTO wrong
      FROM added a
      LEFT JOIN ledger.transfer h ON h.hold_id = a.hold_id AND h.kind = 'hold'
     WHERE a.kind IN ('post', 'void')
       AND (h.hold_id IS NULL OR h.held_minor <> -a.held_minor
            OR h.debit_account <> a.debit_account OR h.credit_account <> a.credit_account);
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION 'holds are not as they were made: %', wrong USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO ledger.unposted_hold
      SELECT hold_id, debit_account, credit_account, held_minor, booked_at, true FROM added WHERE kind = 'hold';
    UPDATE ledger.unposted_hold h SET open = false FROM added a WHERE a.kind = 'void' AND h.hold_id = a.hold_id;
    DELETE FROM ledger.unposted_hold h USING added a WHERE a.kind = 'post' AND h.hold_id = a.hold_id;
  END IF;

  IF full_ids IS NOT NULL THEN PERFORM ledger.sum_up(full_ids, full_after, full_upto); END IF;
  RETURN NULL;
END
$$;

SELECT ledger.sum_up(array_agg(id), array_agg(0::bigint), array_agg(ledger.summed_up_to(version)))
  FROM ledger.account WHERE holder_id IS NOT NULL AND version >= 64;

GRANT SELECT ON ledger.unposted_hold, ledger.daily_flow, ledger.search_block, ledger.flow, ledger.findable TO alder_app;
