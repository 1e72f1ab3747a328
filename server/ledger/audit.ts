import type { Asset } from '#contract/money.ts'
import type { Run } from '#server/platform/db/run.ts'
import { auditChecksSince, type AuditCheck } from '#server/ledger/audit-checks.ts'

/**
 * One line of the trial balance: all accounts of one purpose and asset, in minor units. The sums are exact for any number of
 * accounts.
 */
export type TrialLine = {
  asset: Asset
  code: string
  /** The owner of the accounts: customers or the bank. */
  owner: 'customers' | 'bank'
  accounts: number
  debitMinor: bigint
  creditMinor: bigint
  heldMinor: bigint
}

export type Audit = { trialBalance: TrialLine[]; entries: number; problems: string[] }

/** The checks whose running time does not grow with the number of entries. */
const OF_ACCOUNTS: readonly AuditCheck[] = [
  {
    name: 'debits and credits differ',
    sql: `SELECT asset || ': the balances add up to ' || sum(balance_minor) AS problem
            FROM ledger.account GROUP BY asset HAVING sum(balance_minor) <> 0`,
  },
  {
    name: 'an account is below its floor',
    sql: `SELECT 'account ' || id || ': ' || balance_minor - held_minor || ' is below ' || floor_minor AS problem
            FROM ledger.account WHERE balance_minor - held_minor < floor_minor`,
  },
  {
    name: 'the amount owed and the reserved amount differ',
    sql: `SELECT 'account ' || a.id || ': kept ' || a.owed_minor || ', owed ' || coalesce(-o.balance_minor, 0) AS problem
            FROM ledger.account a
            LEFT JOIN ledger.account o ON o.holder_id = a.holder_id AND o.code = 'owed' AND a.code = 'current'
           WHERE a.owed_minor <> coalesce(-o.balance_minor, 0)`,
  },
]

/** Together these checks prove that every figure follows from the transfers alone. */
const CHECKS: readonly AuditCheck[] = [
  ...OF_ACCOUNTS,
  {
    name: 'an account does not follow from its entries',
    sql: `SELECT 'account ' || a.id || ': balance ' || a.balance_minor || ', entries ' || coalesce(e.balance, 0)
              || '; version ' || a.version || ', entries ' || coalesce(e.count, 0) AS problem
            FROM ledger.account a
            LEFT JOIN (SELECT account_id, sum(amount_minor) AS balance, count(*) AS count
                         FROM ledger.entry GROUP BY account_id) e ON e.account_id = a.id
           WHERE a.balance_minor <> coalesce(e.balance, 0) OR a.version <> coalesce(e.count, 0)`,
  },
  {
    name: 'an entry does not follow from the one before',
    sql: `SELECT 'account ' || account_id || ', entry ' || version || ': expected entry ' || place
              || ' with balance ' || running || ', has ' || balance_minor AS problem
            FROM (SELECT account_id, version, balance_minor,
                         row_number() OVER w AS place, sum(amount_minor) OVER w AS running
                    FROM ledger.entry WINDOW w AS (PARTITION BY account_id ORDER BY version)) e
           WHERE version <> place OR balance_minor <> running`,
  },
  {
    name: 'the holds and the held amounts differ',
    sql: `SELECT 'account ' || a.id || ': held ' || a.held_minor || ', open holds ' || coalesce(h.held, 0) AS problem
            FROM ledger.account a
            LEFT JOIN (SELECT debit_account, sum(held_minor) AS held FROM ledger.transfer
                        WHERE held_minor <> 0 GROUP BY debit_account) h ON h.debit_account = a.id
           WHERE a.held_minor <> coalesce(h.held, 0)`,
  },
  {
    name: 'the incoming amount and the open holds differ',
    sql: `SELECT 'account ' || a.id || ': incoming ' || a.incoming_minor || ', open holds ' || coalesce(h.held, 0) AS problem
            FROM ledger.account a
            LEFT JOIN (SELECT credit_account, sum(held_minor) AS held FROM ledger.transfer
                        WHERE held_minor <> 0 GROUP BY credit_account) h ON h.credit_account = a.id
           WHERE a.incoming_minor <> coalesce(h.held, 0)`,
  },
  {
    name: 'an unposted hold does not follow from the transfers',
    sql: `SELECT 'hold ' || coalesce(u.hold_id, h.hold_id) AS problem
            FROM (SELECT h.hold_id, h.debit_account, h.credit_account, h.held_minor, h.booked_at, r.kind IS NULL AS open
                    FROM ledger.transfer h
                    LEFT JOIN ledger.transfer r ON r.hold_id = h.hold_id AND r.kind IN ('post', 'void')
                   WHERE h.kind = 'hold' AND r.kind IS DISTINCT FROM 'post') h
            FULL JOIN ledger.unposted_hold u ON u.hold_id = h.hold_id
           WHERE u.hold_id IS NULL OR h.hold_id IS NULL
              OR (u.debit_account, u.credit_account, u.held_minor, u.booked_at, u.open)
                 <> (h.debit_account, h.credit_account, h.held_minor, h.booked_at, h.open)`,
  },
  {
    name: 'the sums of a day do not follow from its entries',
    sql: `SELECT 'account ' || coalesce(d.account_id, f.account_id) || ', ' || coalesce(d.day, f.day) || ' '
              || coalesce(d.category, f.category) || ': kept ' || coalesce(d.in_minor, 0) || ' in, ' || coalesce(d.out_minor, 0)
              || ' out, entries ' || coalesce(f.in_minor, 0) || ' in, ' || coalesce(f.out_minor, 0) || ' out' AS problem
            FROM ledger.daily_flow d
            FULL JOIN (SELECT f.account_id, f.day, f.category, sum(f.in_minor) AS in_minor, sum(f.out_minor) AS out_minor
                         FROM ledger.flow f JOIN ledger.account a ON a.id = f.account_id
                        WHERE f.version <= ledger.summed_up_to(a.version) AND NOT f.own
                        GROUP BY f.account_id, f.day, f.category) f
              ON f.account_id = d.account_id AND f.day = d.day AND f.category = d.category
           WHERE (d.in_minor, d.out_minor) IS DISTINCT FROM (f.in_minor, f.out_minor)`,
  },
  {
    name: 'the search index does not follow from the entries',
    sql: `SELECT 'account ' || coalesce(s.account_id, f.account_id) || ', block ' || coalesce(s.block, f.block) AS problem
            FROM ledger.search_block s
            FULL JOIN (SELECT f.account_id, f.block, string_agg(f.words, E'\n' ORDER BY f.version) AS words,
                              string_agg(f.tokens, '' ORDER BY f.version) AS tokens
                         FROM ledger.findable f JOIN ledger.account a ON a.id = f.account_id
                        WHERE f.version <= ledger.summed_up_to(a.version) AND a.holder_id IS NOT NULL
                        GROUP BY f.account_id, f.block) f
              ON f.account_id = s.account_id AND f.block = s.block
           WHERE (s.words, s.tokens) IS DISTINCT FROM (f.words, f.tokens)`,
  },
  {
    name: 'the use of a daily limit is lower than the amounts moved',
    sql: `SELECT 'account ' || a.id || ', ' || t.day || ': ' || t.in_minor || ' in, ' || t.out_minor || ' out' AS problem
            FROM ledger.account a
            JOIN (SELECT limit_account, ledger.day_of(booked_at) AS day,
                         coalesce(sum(amount_minor + held_minor) FILTER (WHERE limit_direction = 'in'), 0) AS in_minor,
                         coalesce(sum(amount_minor + held_minor) FILTER (WHERE limit_direction = 'out'), 0) AS out_minor
                    FROM ledger.transfer WHERE limit_account IS NOT NULL GROUP BY limit_account, day) t
              ON t.limit_account = a.id
           WHERE a.used_day IS NULL OR t.day > a.used_day
              OR t.day = a.used_day AND (t.in_minor > a.used_in_minor OR t.out_minor > a.used_out_minor)`,
  },
  {
    name: 'a resolved hold was never made',
    sql: `SELECT 'hold ' || r.hold_id || ' of operation ' || r.operation_id AS problem
            FROM ledger.transfer r
            LEFT JOIN ledger.transfer h ON h.hold_id = r.hold_id AND h.kind = 'hold'
           WHERE r.kind IN ('post', 'void') AND h.hold_id IS NULL`,
  },
  {
    // An operation that only stores the key of a request that moved no money has no transfers.
    name: 'an operation and its transfers disagree',
    sql: `SELECT 'operation ' || coalesce(o.id, t.operation_id) AS problem
            FROM ledger.operation o
            FULL JOIN (SELECT DISTINCT operation_id FROM ledger.transfer) t ON t.operation_id = o.id
           WHERE o.id IS NULL OR (t.operation_id IS NULL) <> (o.kind = 'request')`,
  },
  {
    // The unique indexes of a period prevent duplicates within the period, so this check only compares different periods.
    name: 'an action that is possible only once was recorded in two periods',
    sql: `SELECT 'operation ' || id AS problem FROM ledger.operation
           WHERE EXISTS (SELECT FROM ledger.period WHERE number > 1) GROUP BY id HAVING count(*) > 1
          UNION ALL
          SELECT 'reversal of ' || reverses FROM ledger.operation WHERE reverses IS NOT NULL
           GROUP BY reverses HAVING count(*) > 1
          UNION ALL
          SELECT 'end of the hold ' || hold_id FROM ledger.transfer WHERE kind IN ('post', 'void')
           GROUP BY hold_id HAVING count(*) > 1`,
  },
  {
    name: 'a transfer is not in the asset of its accounts',
    sql: `SELECT 'operation ' || t.operation_id AS problem
            FROM ledger.transfer t
            JOIN ledger.account d ON d.id = t.debit_account JOIN ledger.account c ON c.id = t.credit_account
           WHERE t.asset <> d.asset OR t.asset <> c.asset`,
  },
]

/** The maximum number of findings listed for one check. More of the same kind would add no information. */
const FINDINGS = 20

/**
 * Proves the books of the whole bank at one instant, while the bank keeps working. `run` must be inside a REPEATABLE READ
 * transaction. The books are proved if `problems` is empty.
 */
export async function auditBooks(run: Run): Promise<Audit> {
  const entries = await run('SELECT count(*) AS n FROM ledger.entry')
  return audit(run, CHECKS, entries.rows[0]?.['n'] as number)
}

/**
 * Proves the bookings of all SQL transactions from `upto` on, where a seal ends. Also proves that every account matches its
 * last entry. Sealed bookings are not checked again, because the seals prove them.
 */
export async function auditBooksSince(run: Run, upto: number): Promise<Audit> {
  const { checks, count } = auditChecksSince(upto)
  const entries = await run(count)
  const accountAudit = await audit(run, OF_ACCOUNTS, entries.rows[0]?.['n'] as number)
  // The checks of the new rows must use indexes, whatever the statistics suggest.
  await run('SET LOCAL enable_seqscan = off')
  return { ...accountAudit, problems: [...accountAudit.problems, ...(await findings(run, checks))] }
}

async function audit(run: Run, checks: readonly AuditCheck[], entries: number): Promise<Audit> {
  const { rows } = await run(
    `SELECT asset, code, CASE WHEN holder_id IS NULL THEN 'bank' ELSE 'customers' END AS owner, count(*) AS accounts,
            coalesce(-sum(balance_minor) FILTER (WHERE balance_minor < 0), 0)::text AS debit,
            coalesce(sum(balance_minor) FILTER (WHERE balance_minor > 0), 0)::text AS credit,
            sum(held_minor)::text AS held
       FROM ledger.account GROUP BY asset, owner, code ORDER BY asset DESC, owner, code`,
  )
  return { trialBalance: rows.map(toTrialLine), entries, problems: await findings(run, checks) }
}

async function findings(run: Run, checks: readonly AuditCheck[]): Promise<string[]> {
  const problems: string[] = []
  for (const { name, sql } of checks) {
    const rows = await run(`SELECT problem FROM (${sql}) found LIMIT ${FINDINGS}`)
    for (const row of rows.rows) problems.push(`${name}: ${String(row['problem'])}`)
  }
  return problems
}

function toTrialLine(row: Record<string, unknown>): TrialLine {
  return {
    asset: row['asset'] as Asset,
    code: row['code'] as string,
    owner: row['owner'] as TrialLine['owner'],
    accounts: row['accounts'] as number,
    debitMinor: BigInt(row['debit'] as string),
    creditMinor: BigInt(row['credit'] as string),
    heldMinor: BigInt(row['held'] as string),
  }
}
