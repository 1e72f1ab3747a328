import { startOfMonth, type Period } from '#server/calendar/months.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { type Category, isSpendingCategory, OWN_MOVES } from '#contract/categories.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import type { Run } from '#server/platform/db/run.ts'
import { SPENDING_CODES } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { RECENT } from '#server/ledger/recent-periods.ts'
import type { AccountId } from '#server/ledger/types.ts'

/**
 * The incoming and outgoing sums of one category ('' for none) in one month (YYYY-MM), in minor units. Sums are bigints,
 * because they can exceed an amount.
 */
export type Flow = { category: Category | ''; month: string; inMinor: bigint; outMinor: bigint }

type Rows = Record<string, unknown>[]

/**
 * Returns SQL for the entries of an account `a` that are in no daily sum yet. There are fewer than 64 of them. `where` is a
 * further condition. `OFFSET 0` keeps PostgreSQL from merging the subquery (0042_flat_reads.sql).
 */
const unsummed = (where: string): string => `(
  SELECT * FROM ledger.flow WHERE account_id = a.id AND version > ledger.summed_up_to(a.version)${where} OFFSET 0)`

/**
 * An SQL condition on an account `a`: some of its entries without a daily sum are older than the recent periods. `OFFSET 0`
 * makes PostgreSQL check the accounts one by one.
 */
const IS_OLDER = `a.version > ledger.summed_up_to(a.version) AND NOT EXISTS (
  SELECT FROM ledger.entry e
   WHERE e.account_id = a.id AND e.version = ledger.summed_up_to(a.version) + 1 AND e.${RECENT} OFFSET 0)`

/**
 * Runs a query that adds the entries without a daily sum to the daily sums. These entries are mostly recent, so the first run
 * reads only recent ones. `query` receives the SQL that reads the entries, and a condition on accounts `a` that also have older
 * entries without a daily sum. If a row has `older`, the query runs again for entries of any age. One statement reads the sums
 * and the entries at the same instant.
 */
async function sumRecent(query: (unsummedSql: string, isOlder: string) => Promise<Rows>): Promise<Rows> {
  const rows = await query(unsummed(` AND ${RECENT}`), IS_OLDER)
  return rows.some((row) => row['older'] === true) ? query(unsummed(''), 'false') : rows
}

/**
 * Returns the incoming and outgoing sums of accounts by category and calendar month. Moves between accounts of one holder do
 * not count. The sums combine the daily sums with the entries that have no daily sum yet.
 */
export async function flowsByMonth(run: Run, accountIds: AccountId[], period: Period): Promise<Flow[]> {
  const values = [accountIds, wholeDay(period.from), wholeDay(period.to)]
  const rows = await sumRecent(async (unsummedSql, isOlder) => {
    const flows = await run(
      `SELECT category, left(day::text, 7) AS month, sum(in_minor)::text AS in_minor, sum(out_minor)::text AS out_minor, older
       FROM (SELECT day, category, in_minor, out_minor, false AS older FROM ledger.daily_flow
              WHERE account_id = ANY($1::bigint[]) AND day >= $2::date AND day < $3::date
             UNION ALL
             SELECT f.day, f.category, f.in_minor, f.out_minor, false
               FROM ledger.account a, LATERAL ${unsummedSql} f
              WHERE a.id = ANY($1::bigint[]) AND NOT f.own AND f.day >= $2::date AND f.day < $3::date
             UNION ALL
             SELECT $2::date, '', 0, 0, true FROM ledger.account a WHERE a.id = ANY($1::bigint[]) AND ${isOlder}) flow
      GROUP BY category, month, older`,
      values,
    )
    return flows.rows
  })
  return rows.map((row) => ({ ...toSums(row), month: row['month'] as string }))
}

/**
 * Converts an instant to its day. Throws TypeError if it is not the first instant of a day, because sums are stored by the day.
 */
function wholeDay(instant: Date): string {
  const day = dayOf(instant)
  if (timeOn(day) < instant) throw new TypeError('A period is made of whole days')
  return day
}

export const isSpending = ({ category }: Pick<Flow, 'category'>): boolean => isSpendingCategory(category)

/** Whether a flow is a move of the customer's own money: neither income nor an expense. */
export const isOwnMove = ({ category }: Pick<Flow, 'category'>): boolean =>
  category !== '' && OWN_MOVES.includes(category)

/**
 * Converts a sum to a number, capped at MAX_AMOUNT_MINOR. The ceilings on amounts keep one customer's flows far below the cap.
 */
function toSafeNumber(minor: bigint): number {
  const maxMinor = BigInt(MAX_AMOUNT_MINOR)
  return Number(minor > maxMinor ? maxMinor : minor < -maxMinor ? -maxMinor : minor)
}

/**
 * Income and expenses in minor units, usually zero or more. `spentMinor` is the part of the expenses in the spending
 * categories; payments to people, for example, are not in it. Money that comes back in a spending category (a refund) lowers
 * spending and is not income. Moves of the customer's own money are neither income nor expenses.
 */
export type FlowSums = { incomeMinor: number; expensesMinor: number; spentMinor: number }

/** Returns the income and expenses of accounts of one asset. */
export async function flowOf(run: Run, accountIds: AccountId[], period: Period): Promise<FlowSums> {
  return sumsOf(await flowsByMonth(run, accountIds, period))
}

/**
 * Returns the income and expenses of a holder's spending accounts in each of several periods, in one statement. The periods
 * must not overlap. Entries without a daily sum are added as in `flowsByMonth`.
 */
export async function spendingFlows(run: Run, holderId: string, periods: readonly Period[]): Promise<FlowSums[]> {
  const values = [
    holderId,
    SPENDING_CODES,
    periods.map(({ from }) => wholeDay(from)),
    periods.map(({ to }) => wholeDay(to)),
  ]
  const rows = await sumRecent(async (unsummedSql, isOlder) => {
    const flows = await run(
      `SELECT p.place, flow.category, sum(flow.in_minor)::text AS in_minor, sum(flow.out_minor)::text AS out_minor, older
       FROM ledger.account a
            CROSS JOIN unnest($3::date[], $4::date[]) WITH ORDINALITY AS p (since, until, place)
            CROSS JOIN LATERAL (
              SELECT category, in_minor, out_minor, false AS older FROM ledger.daily_flow
               WHERE account_id = a.id AND day >= p.since AND day < p.until
              UNION ALL
              SELECT f.category, f.in_minor, f.out_minor, false
                FROM ${unsummedSql} f
               WHERE NOT f.own AND f.day >= p.since AND f.day < p.until
              UNION ALL
              SELECT '', 0, 0, true WHERE p.place = 1 AND ${isOlder}) flow
      WHERE a.holder_id = $1 AND a.code = ANY($2::text[])
      GROUP BY p.place, flow.category, older`,
      values,
    )
    return flows.rows
  })
  return periods.map((_, index) => sumsOf(rows.filter((row) => row['place'] === index + 1).map(toSums)))
}

type CategorySums = Pick<Flow, 'category' | 'inMinor' | 'outMinor'>

const toSums = (row: Record<string, unknown>): CategorySums => ({
  category: row['category'] as Flow['category'],
  inMinor: BigInt(row['in_minor'] as string),
  outMinor: BigInt(row['out_minor'] as string),
})

function sumsOf(flows: readonly CategorySums[]): FlowSums {
  let income = 0n
  let expenses = 0n
  let spentSum = 0n
  for (const flow of flows) {
    if (isOwnMove(flow)) continue
    if (isSpending(flow)) {
      spentSum += flow.outMinor - flow.inMinor
      expenses -= flow.inMinor
    } else income += flow.inMinor
    expenses += flow.outMinor
  }
  return {
    incomeMinor: toSafeNumber(income),
    expensesMinor: toSafeNumber(expenses),
    spentMinor: toSafeNumber(spentSum),
  }
}

/** The number of entries, counted back from a given one, in which one month's payments are searched. */
const MONTH_ENTRIES = 500

/**
 * Returns the number and the sum of an account's payments in one category in the calendar month of `entry.at`, up to and
 * including the entry with the number `entry.version`. Returns null if the month may have begun before the MONTH_ENTRIES
 * entries that end there.
 */
export async function monthInCategory(
  run: Run,
  accountId: AccountId,
  category: Category,
  entry: { version: number; at: Date },
): Promise<{ count: number; spentMinor: number } | null> {
  const [from, to] = [startOfMonth(entry.at), startOfMonth(entry.at, 1)]
  const query = async (where: string) => {
    const { rows } = await run(
      `SELECT count(*) FILTER (WHERE payment)::int AS count, coalesce(-sum(amount_minor) FILTER (WHERE payment), 0)::text AS spent_minor,
            (array_agg(booked_at ORDER BY version))[1] >= $5 AND min(version) > 1 AS began_before, min(version) AS first
       FROM (SELECT version, booked_at, amount_minor,
                    category = $4 AND amount_minor < 0 AND booked_at >= $5 AND booked_at < $6 AS payment
               FROM ledger.entry WHERE account_id = $1 AND version > $2::bigint - $3 AND version <= $2${where} OFFSET 0) entry`,
      [accountId, entry.version, MONTH_ENTRIES, category, from, to],
    )
    return rows[0]
  }
  const recent = await query(` AND ${RECENT}`)
  const isAll = recent?.['first'] === Math.max(1, entry.version - MONTH_ENTRIES + 1)
  const month = isAll ? recent : await query('')
  if (!month || month['began_before'] === true) return null
  return { count: month['count'] as number, spentMinor: toSafeNumber(BigInt(month['spent_minor'] as string)) }
}

/** The card scheme's account, as a literal: the indexes of 0094_card_cashback.sql cover this account alone. */
const CARD_SCHEME = bankAccount('card_scheme')

/**
 * Returns the card payments of a holder's accounts in a period of business time, less refunds, in US cents. The result is below
 * zero if refunds exceed payments.
 */
export async function paidByCard(run: Run, holderId: string, { from, to }: Period): Promise<number> {
  const { rows } = await run(
    `SELECT (coalesce(sum(paid.minor), 0) - coalesce(sum(refunded.minor), 0))::text AS minor
       FROM ledger.account a,
            LATERAL (SELECT sum(amount_minor) AS minor FROM ledger.transfer
                      WHERE debit_account = a.id AND credit_account = ${CARD_SCHEME} AND amount_minor > 0
                        AND booked_at >= $2 AND booked_at < $3) paid,
            LATERAL (SELECT sum(amount_minor) AS minor FROM ledger.transfer
                      WHERE credit_account = a.id AND debit_account = ${CARD_SCHEME} AND amount_minor > 0
                        AND booked_at >= $2 AND booked_at < $3) refunded
      WHERE a.holder_id = $1`,
    [holderId, from, to],
  )
  return toSafeNumber(BigInt(rows[0]?.['minor'] as string))
}
