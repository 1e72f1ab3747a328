/** A check of the books. Each row that `sql` returns is one problem, as a sentence. */
export type AuditCheck = { name: string; sql: string }

/**
 * Returns the checks of everything that SQL transactions from `upto` on have booked. Each new entry must follow from the
 * previous entry of its account, which may be sealed. Every account must match its last entry. The checks find older rows one
 * by one through an index: PostgreSQL's statistics do not include the newest rows yet, so it would expect only a few new rows
 * and compare every new row with every old row.
 */
export function auditChecksSince(upto: number): { checks: AuditCheck[]; count: string } {
  const freshRows = freshOf(upto)
  const checks = [
    ...ofAccounts(),
    ...ofEntries(freshRows),
    ...ofHolds(freshRows),
    ...sumChecks(freshRows),
    ...ofOperations(upto),
    ofPeriods(freshRows, upto),
  ]
  return { checks, count: `WITH ${freshRows} SELECT count(*) AS n FROM fresh_entry` }
}

/** The new transfers and entries as SQL. `OFFSET 0` makes PostgreSQL find each operation's transfers through the index. */
const freshOf = (upto: number): string => `
  fresh AS MATERIALIZED (
    SELECT t.* FROM ledger.operation o,
           LATERAL (SELECT * FROM ledger.transfer WHERE operation_id = o.id AND period = o.period OFFSET 0) t
     WHERE o.posted_in > 0 AND o.posted_in >= ${upto}
  ), fresh_entry AS (
    SELECT debit_account AS account_id, debit_version AS version, -amount_minor AS amount_minor,
           debit_balance_minor AS balance_minor
      FROM fresh WHERE amount_minor > 0
    UNION ALL
    SELECT credit_account, credit_version, amount_minor, credit_balance_minor FROM fresh WHERE amount_minor > 0
  )`

/** The balance of an account after one entry, as SQL. The entry may be sealed. */
const balanceAfter = (account: string, version: string): string => `
  LATERAL (SELECT debit_balance_minor AS balance_minor FROM ledger.transfer
            WHERE debit_account = ${account} AND debit_version = ${version} AND amount_minor > 0
           UNION ALL
           SELECT credit_balance_minor FROM ledger.transfer
            WHERE credit_account = ${account} AND credit_version = ${version} AND amount_minor > 0)`

function ofAccounts(): AuditCheck[] {
  const heldSum = (side: 'debit' | 'credit'): string => `
    LATERAL (SELECT coalesce(sum(held_minor), 0) AS minor FROM ledger.unposted_hold
              WHERE ${side}_account = a.id AND open OFFSET 0)`
  return [
    {
      name: 'an account does not follow from its last entry',
      sql: `SELECT 'account ' || a.id || ': balance ' || a.balance_minor || ', entry ' || a.version || ' '
                || coalesce(e.balance_minor::text, 'is missing') AS problem
              FROM ledger.account a LEFT JOIN ${balanceAfter('a.id', 'a.version')} e ON true
             WHERE CASE WHEN a.version = 0 THEN a.balance_minor <> 0
                        ELSE e.balance_minor IS DISTINCT FROM a.balance_minor END`,
    },
    {
      name: 'the holds and the held amounts differ',
      sql: `SELECT 'account ' || a.id || ': held ' || a.held_minor || ', open holds ' || d.minor
                || '; incoming ' || a.incoming_minor || ', open holds ' || c.minor AS problem
              FROM ledger.account a, ${heldSum('debit')} d, ${heldSum('credit')} c
             WHERE a.held_minor <> d.minor OR a.incoming_minor <> c.minor`,
    },
    {
      name: 'an open hold does not follow from the transfers',
      sql: `SELECT 'hold ' || u.hold_id AS problem
              FROM ledger.unposted_hold u,
                   LATERAL (SELECT count(*) FILTER (WHERE kind = 'hold'
                                     AND (debit_account, credit_account, held_minor, booked_at)
                                       = (u.debit_account, u.credit_account, u.held_minor, u.booked_at)) AS made,
                                   count(*) FILTER (WHERE kind <> 'hold') AS ended
                              FROM (SELECT * FROM ledger.transfer WHERE hold_id = u.hold_id AND kind = 'hold'
                                    UNION ALL
                                    SELECT * FROM ledger.transfer WHERE hold_id = u.hold_id AND kind IN ('post', 'void')) t
                           OFFSET 0) t
             WHERE u.open AND (t.made <> 1 OR t.ended <> 0)`,
    },
  ]
}

function ofEntries(freshRows: string): AuditCheck[] {
  return [
    {
      name: 'an entry does not follow from the one before',
      sql: `WITH ${freshRows}, placed AS MATERIALIZED (
              SELECT account_id, version, amount_minor, balance_minor, lag(version) OVER w AS version_before,
                     lag(balance_minor) OVER w AS balance_before, lead(version) OVER w IS NULL AS last
                FROM fresh_entry WINDOW w AS (PARTITION BY account_id ORDER BY version)
            )
            SELECT 'account ' || p.account_id || ', entry ' || p.version || ': balance ' || p.balance_minor AS problem
              FROM placed p
              CROSS JOIN LATERAL (SELECT version FROM ledger.account WHERE id = p.account_id OFFSET 0) a
              LEFT JOIN ${balanceAfter('p.account_id', 'p.version - 1')} e ON p.version_before IS NULL AND p.version > 1
             WHERE p.balance_minor IS DISTINCT FROM p.amount_minor
                     + CASE WHEN p.version = 1 THEN 0 ELSE coalesce(p.balance_before, e.balance_minor) END
                OR p.version <> p.version_before + 1
                OR p.last AND p.version <> a.version`,
    },
    {
      name: 'a transfer is not in the asset of its accounts',
      sql: `WITH ${freshRows} SELECT 'operation ' || t.operation_id AS problem
              FROM fresh t
              LEFT JOIN LATERAL (SELECT asset FROM ledger.account WHERE id = t.debit_account OFFSET 0) d ON true
              LEFT JOIN LATERAL (SELECT asset FROM ledger.account WHERE id = t.credit_account OFFSET 0) c ON true
             WHERE t.asset IS DISTINCT FROM d.asset OR t.asset IS DISTINCT FROM c.asset`,
    },
  ]
}

function ofHolds(freshRows: string): AuditCheck[] {
  return [
    {
      name: 'a resolved hold was never made, or was made differently',
      sql: `WITH ${freshRows} SELECT 'hold ' || r.hold_id || ' of operation ' || r.operation_id AS problem
              FROM fresh r
              LEFT JOIN LATERAL (SELECT * FROM ledger.transfer WHERE hold_id = r.hold_id AND kind = 'hold' LIMIT 1) h ON true
             WHERE r.kind IN ('post', 'void')
               AND (h.debit_account, h.credit_account, h.held_minor)
                   IS DISTINCT FROM (r.debit_account, r.credit_account, -r.held_minor)`,
    },
    {
      name: 'an unposted hold does not follow from the transfers',
      sql: `WITH ${freshRows} SELECT 'hold ' || t.hold_id AS problem
              FROM fresh t
              LEFT JOIN LATERAL (SELECT * FROM ledger.transfer
                                  WHERE hold_id = t.hold_id AND kind IN ('post', 'void') LIMIT 1) r ON true
              LEFT JOIN LATERAL (SELECT * FROM ledger.unposted_hold WHERE hold_id = t.hold_id OFFSET 0) u ON true
             WHERE t.hold_id IS NOT NULL
               AND CASE r.kind WHEN 'post' THEN u.hold_id IS NOT NULL
                               WHEN 'void' THEN u.open IS DISTINCT FROM false
                               ELSE u.open IS DISTINCT FROM true END`,
    },
  ]
}

/**
 * Daily sums and limit counters may include sealed entries. The new entries can therefore only prove that a sum or a counter is
 * too small.
 */
function sumChecks(freshRows: string): AuditCheck[] {
  return [
    {
      name: 'the sums of a day do not follow from its entries',
      sql: `WITH ${freshRows}, summed AS (
              SELECT e.account_id, f.day, f.category, sum(f.in_minor) AS in_minor, sum(f.out_minor) AS out_minor
                FROM fresh_entry e
                JOIN ledger.account a ON a.id = e.account_id AND a.holder_id IS NOT NULL
                     AND e.version <= ledger.summed_up_to(a.version),
                     LATERAL (SELECT * FROM ledger.flow
                               WHERE account_id = e.account_id AND version = e.version OFFSET 0) f
               WHERE NOT f.own GROUP BY e.account_id, f.day, f.category
            )
            SELECT 'account ' || s.account_id || ', ' || s.day || ' ' || s.category || ': kept '
                || coalesce(d.in_minor, 0) || ' in, ' || coalesce(d.out_minor, 0) || ' out, new entries ' || s.in_minor
                || ' in, ' || s.out_minor || ' out' AS problem
              FROM summed s
              LEFT JOIN LATERAL (SELECT * FROM ledger.daily_flow
                                  WHERE account_id = s.account_id AND day = s.day AND category = s.category OFFSET 0) d ON true
             WHERE d.account_id IS NULL OR d.in_minor < s.in_minor OR d.out_minor < s.out_minor`,
    },
    {
      name: 'the search index does not follow from the entries',
      sql: `WITH ${freshRows}, touched AS (
              SELECT e.account_id, (min(e.version) - 1) / 64 * 64 AS after, ledger.summed_up_to(a.version) AS upto
                FROM fresh_entry e JOIN ledger.account a ON a.id = e.account_id
               WHERE a.holder_id IS NOT NULL GROUP BY e.account_id, a.version
            )
            SELECT 'account ' || t.account_id || ', block ' || f.block AS problem
              FROM (SELECT * FROM touched WHERE upto > after) t
             CROSS JOIN LATERAL (SELECT block, string_agg(words, E'\\n' ORDER BY version) AS words,
                                   string_agg(tokens, '' ORDER BY version) AS tokens
                              FROM (SELECT * FROM ledger.findable
                                     WHERE account_id = t.account_id AND version > t.after AND version <= t.upto
                                    OFFSET 0) found
                             GROUP BY block OFFSET 0) f
              LEFT JOIN LATERAL (SELECT * FROM ledger.search_block
                                  WHERE account_id = t.account_id AND block = f.block OFFSET 0) s ON true
             WHERE (s.words, s.tokens) IS DISTINCT FROM (f.words, f.tokens)`,
    },
    {
      name: 'the use of a daily limit is lower than the amounts moved',
      sql: `WITH ${freshRows}, moved AS (
              SELECT limit_account, ledger.day_of(booked_at) AS day,
                     coalesce(sum(amount_minor + held_minor) FILTER (WHERE limit_direction = 'in'), 0) AS in_minor,
                     coalesce(sum(amount_minor + held_minor) FILTER (WHERE limit_direction = 'out'), 0) AS out_minor
                FROM fresh WHERE limit_account IS NOT NULL GROUP BY limit_account, day
            )
            SELECT 'account ' || a.id || ', ' || t.day || ': ' || t.in_minor || ' in, ' || t.out_minor || ' out' AS problem
              FROM moved t JOIN ledger.account a ON a.id = t.limit_account
             WHERE a.used_day IS NULL OR t.day > a.used_day
                OR t.day = a.used_day AND (t.in_minor > a.used_in_minor OR t.out_minor > a.used_out_minor)`,
    },
  ]
}

function ofOperations(upto: number): AuditCheck[] {
  return [
    {
      // An operation that only stores the key of a request that moved no money has no transfers.
      name: 'an operation and its transfers disagree',
      sql: `SELECT 'operation ' || o.id AS problem
              FROM ledger.operation o,
                   LATERAL (SELECT count(*) AS legs FROM ledger.transfer WHERE operation_id = o.id AND period = o.period OFFSET 0) t
             WHERE o.posted_in > 0 AND o.posted_in >= ${upto} AND (t.legs = 0) <> (o.kind = 'request')`,
    },
  ]
}

/** The unique indexes of a period prevent duplicates within the period, so this check only compares different periods. */
function ofPeriods(freshRows: string, upto: number): AuditCheck {
  const earlier = (what: string): string => `LATERAL (SELECT FROM ${what} LIMIT 1) earlier`
  const since = `o.posted_in > 0 AND o.posted_in >= ${upto}`
  return {
    name: 'an action that is possible only once was recorded in two periods',
    sql: `WITH ${freshRows}
          SELECT 'operation ' || o.id AS problem
            FROM ledger.operation o, ${earlier('ledger.operation WHERE id = o.id AND period < o.period')} WHERE ${since}
          UNION ALL
          SELECT 'reversal of ' || o.reverses
            FROM ledger.operation o, ${earlier('ledger.operation WHERE reverses = o.reverses AND period < o.period')}
           WHERE ${since} AND o.reverses IS NOT NULL
          UNION ALL
          SELECT 'end of the hold ' || t.hold_id
            FROM fresh t,
                 ${earlier(`ledger.transfer WHERE hold_id = t.hold_id AND kind IN ('post', 'void') AND period < t.period`)}
           WHERE t.kind IN ('post', 'void')`,
  }
}
