-- How much a customer moves in a day is counted where the money moves: on the locked account, by the trigger that moves
-- the balances. What counts is decided with the transfer, so nothing has to be taken before and given back after.

ALTER TABLE ledger.account
  ADD COLUMN used_day       date,
  ADD COLUMN used_in_minor  bigint NOT NULL DEFAULT 0,
  ADD COLUMN used_out_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT account_used CHECK (used_in_minor >= 0 AND used_out_minor >= 0);

-- The account whose holder's limit a transfer or hold counts to, and which way the money goes for them.
ALTER TABLE ledger.transfer
  ADD COLUMN limit_account   bigint,
  ADD COLUMN limit_direction text,
  ADD CONSTRAINT transfer_limit CHECK (limit_account IS NULL AND limit_direction IS NULL
    OR limit_account IS NOT NULL AND limit_direction IN ('in', 'out') AND kind IN ('transfer', 'hold'));

DROP TABLE bank.day_use;

-- As 0042_flat_reads.sql, but that it also counts what was moved in a day.
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
           debit_version AS version, debit_balance_minor AS after,
           NULL::date AS used_day, 0 AS used_in, 0 AS used_out
      FROM added
    UNION ALL
    SELECT credit_account, asset, amount_minor, 0, held_minor, credit_version, credit_balance_minor, NULL, 0, 0
      FROM added
    UNION ALL
    SELECT limit_account, asset, 0, 0, 0, NULL, NULL, (booked_at AT TIME ZONE 'UTC')::date,
           CASE limit_direction WHEN 'in' THEN amount_minor + held_minor ELSE 0 END,
           CASE limit_direction WHEN 'out' THEN amount_minor + held_minor ELSE 0 END
      FROM added WHERE limit_account IS NOT NULL
  ), net AS (
    SELECT id, asset, sum(moved) AS moved, sum(held) AS held, sum(incoming) AS incoming, count(version) AS entries,
           min(version) AS first, max(version) AS last,
           (max(ARRAY[version, after]) FILTER (WHERE version IS NOT NULL))[2] AS after,
           max(used_day) AS used_day, sum(used_in) AS used_in, sum(used_out) AS used_out
      FROM side GROUP BY id, asset
  ), moved AS (
    UPDATE ledger.account a
       SET balance_minor = a.balance_minor + net.moved,
           held_minor = a.held_minor + net.held,
           incoming_minor = a.incoming_minor + net.incoming,
           version = a.version + net.entries,
           used_day = greatest(a.used_day, net.used_day),
           used_in_minor = CASE WHEN a.used_day < net.used_day THEN 0 ELSE a.used_in_minor END + net.used_in,
           used_out_minor = CASE WHEN a.used_day < net.used_day THEN 0 ELSE a.used_out_minor END + net.used_out
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
