import type { Period } from '#server/calendar/months.ts'
import type { Category } from '#contract/categories.ts'
import type { Run } from '#server/platform/db/run.ts'
import { SPENDING_CODES } from '#server/ledger/accounts.ts'
import { ENTRIES, type Line, toLine } from '#server/ledger/statement.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** An account's payments to and from one name, on one business day, in one category. */
export type PayeeDay = {
  day: string
  /** The name in lower case; '' for payments without a name. */
  payee: string
  name: string
  category: Category | ''
  payments: number
  inMinor: number
  outMinor: number
  /**
   * The first and the last version of the account's entries among which the payments are. Other entries may lie between them.
   */
  firstVersion: number
  lastVersion: number
}

/** The number of characters that identify a payee. Longer names are compared by their beginning. */
const MAX_CHARS = 120

/** The SQL that normalizes a name to a payee. */
const payeeOf = (name: string) => `lower(left(btrim(coalesce(${name}, '')), ${MAX_CHARS}))`

/**
 * Returns the payments booked on an account after its entry `after` up to `upTo`, without moves between accounts of one holder.
 */
export async function payeeDays(run: Run, accountId: AccountId, after: number, upTo: number): Promise<PayeeDay[]> {
  const { rows } = await run(
    `SELECT day, payee, category, (array_agg(name ORDER BY entry.version DESC))[1] AS name,
            count(*)::bigint AS payments, sum(greatest(amount_minor, 0))::bigint AS in_minor,
            sum(greatest(-amount_minor, 0))::bigint AS out_minor, min(entry.version) AS first_version, max(entry.version) AS last_version
       FROM (SELECT e.version, ledger.day_of(e.booked_at) AS day, ${payeeOf('e.name')} AS payee,
                    left(coalesce(e.name, ''), ${MAX_CHARS}) AS name, coalesce(e.category, '') AS category, e.amount_minor,
                    e.counter_account
               FROM ledger.entry e WHERE e.account_id = $1 AND e.version > $2 AND e.version <= $3 OFFSET 0) entry
       JOIN ledger.account theirs ON theirs.id = counter_account
      WHERE theirs.holder_id IS DISTINCT FROM (SELECT holder_id FROM ledger.account WHERE id = $1)
      GROUP BY day, payee, category`,
    [accountId, after, upTo],
  )
  return rows.map((row) => ({
    day: row['day'] as string,
    payee: row['payee'] as string,
    name: row['name'] as string,
    category: row['category'] as PayeeDay['category'],
    payments: Number(row['payments']),
    inMinor: Number(row['in_minor']),
    outMinor: Number(row['out_minor']),
    firstVersion: Number(row['first_version']),
    lastVersion: Number(row['last_version']),
  }))
}

/** A range of an account's entries: those after `after` up to `upTo`. */
export type EntryRange = { accountId: AccountId; after: number; upTo: number }

/** Selects statement lines in `category`, with the customer's own categories taken into account. */
export type CategoryChoice = {
  category: Category
  /** The period in which the lines must be booked. A range of entries may also contain entries booked at other times. */
  period: Period
  /** The categories that a customer may change. */
  among: readonly Category[]
  payeesIn: string[]
  payeesOut: string[]
  linesIn: string[]
  linesOut: string[]
}

/**
 * Returns the matching lines in ranges of accounts, newest first. `OFFSET 0` keeps PostgreSQL from merging the subquery
 * (0042_flat_reads.sql).
 */
export async function linesInCategory(
  run: Run,
  stretches: readonly EntryRange[],
  { category, period, among, payeesIn, payeesOut, linesIn, linesOut }: CategoryChoice,
  limit: number,
): Promise<(Line & { accountId: AccountId })[]> {
  const id = `origin_id::text || CASE WHEN hold_id IS NULL AND leg > 0 THEN '.' || leg ELSE '' END`
  const entries = ENTRIES.replace('account_id = $1', 'account_id = given.id')
  const { rows } = await run(
    `SELECT line.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) given (id, after, up_to), LATERAL (
       SELECT * FROM (${entries} AND version > given.after AND version <= given.up_to) entry
        WHERE category = ANY($4::text[]) AND booked_at >= $11 AND booked_at < $12 AND CASE WHEN ${id} = ANY($6::text[]) THEN true
                   WHEN ${id} = ANY($7::text[]) THEN false
                   WHEN ${payeeOf('name')} = ANY($8::text[]) THEN true
                   WHEN ${payeeOf('name')} = ANY($9::text[]) THEN false
                   ELSE category = $5 END
        ORDER BY version DESC LIMIT $10 OFFSET 0
     ) line ORDER BY booked_at DESC, version DESC LIMIT $10`,
    [
      stretches.map(({ accountId }) => accountId),
      stretches.map(({ after }) => after),
      stretches.map(({ upTo }) => upTo),
      among,
      category,
      linesIn,
      linesOut,
      payeesIn,
      payeesOut,
      limit,
      period.from,
      period.to,
    ],
  )
  return rows.map((row) => ({ ...toLine(row), accountId: row['account_id'] as AccountId }))
}

/**
 * Returns a page of customers' spending accounts with numbers above `after`, by number. `version` is the number of entries of
 * the account.
 */
export async function spendingAccountsAfter(
  run: Run,
  after: AccountId,
  limit: number,
): Promise<{ id: AccountId; holderId: string; version: number }[]> {
  const { rows } = await run(
    `SELECT id, holder_id, version FROM ledger.account
      WHERE id > $1 AND holder_id IS NOT NULL AND code = ANY($3::text[]) ORDER BY id LIMIT $2`,
    [after, limit, SPENDING_CODES],
  )
  return rows.map((row) => ({
    id: row['id'] as AccountId,
    holderId: row['holder_id'] as string,
    version: row['version'] as number,
  }))
}

/**
 * Returns the key of a payee with that name: the name as PostgreSQL converts it to lower case, which may differ from
 * JavaScript's result.
 */
export async function readPayeeKey(run: Run, name: string): Promise<string> {
  const { rows } = await run(`SELECT ${payeeOf('$1::text')} AS payee`, [name])
  return rows[0]?.['payee'] as string
}
