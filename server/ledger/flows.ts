import { OWN_MOVES, SPENDING, type Category } from '#contract/accounts.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** A stretch of business time: from `from`, up to but not including `to`. */
export type Period = { from: Date; to: Date }

/**
 * What came in and went out of accounts $1 between $2 and $3. Moves between accounts of one holder and the
 * categories that are the customer's own money coming from elsewhere ($4) do not count; money that comes back in a
 * spending category ($5: a refund) lessens spending and is no income.
 */
const FLOWS = `FROM ledger.entry e
    JOIN ledger.operation o ON o.id = e.operation_id
    JOIN ledger.account mine ON mine.id = e.account_id
    JOIN ledger.account theirs ON theirs.id = e.counter_account
   WHERE e.account_id = ANY($1::bigint[]) AND o.booked_at >= $2 AND o.booked_at < $3
     AND theirs.holder_id IS DISTINCT FROM mine.holder_id
     AND (o.category IS NULL OR o.category <> ALL($4::text[]))`

function values(accountIds: AccountId[], period: Period): unknown[] {
  return [accountIds, period.from, period.to, OWN_MOVES, SPENDING]
}

/** Income and expenses of accounts of one asset, minor units, both usually zero or more. */
export async function flowOf(
  run: Run,
  accountIds: AccountId[],
  period: Period,
): Promise<{ incomeMinor: number; expensesMinor: number }> {
  const { rows } = await run(
    `SELECT coalesce(sum(e.amount_minor) FILTER (WHERE e.side = 'credit' AND NOT spent), 0) AS income,
            coalesce(-sum(e.amount_minor) FILTER (WHERE e.side = 'debit' OR spent), 0) AS expenses
       FROM (SELECT e.amount_minor, e.side, coalesce(o.category = ANY($5::text[]), false) AS spent ${FLOWS}) e`,
    values(accountIds, period),
  )
  return { incomeMinor: rows[0]?.['income'] as number, expensesMinor: rows[0]?.['expenses'] as number }
}

/** Spending by category, minor units, largest first; refunds taken off. */
export async function spendingByCategory(
  run: Run,
  accountIds: AccountId[],
  period: Period,
): Promise<{ category: Category; spentMinor: number }[]> {
  const { rows } = await run(
    `SELECT o.category, -sum(e.amount_minor) AS spent ${FLOWS} AND o.category = ANY($5::text[])
      GROUP BY o.category ORDER BY spent DESC, o.category`,
    values(accountIds, period),
  )
  return rows.map((row) => ({ category: row['category'] as Category, spentMinor: row['spent'] as number }))
}

/** Spending of all categories by calendar month (UTC), as YYYY-MM, oldest first; months without any are left out. */
export async function spendingByMonth(
  run: Run,
  accountIds: AccountId[],
  period: Period,
): Promise<{ month: string; spentMinor: number }[]> {
  const { rows } = await run(
    `SELECT to_char(o.booked_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, -sum(e.amount_minor) AS spent
       ${FLOWS} AND o.category = ANY($5::text[]) GROUP BY month ORDER BY month`,
    values(accountIds, period),
  )
  return rows.map((row) => ({ month: row['month'] as string, spentMinor: row['spent'] as number }))
}
