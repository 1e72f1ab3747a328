import type { Run } from '#server/platform/db/run.ts'

/**
 * Operations and transfers are kept by periods, each a partition that never changes once it is over (migrations/0473_periods.sql).
 * What a period's indexes say of ids, holds and reversals holds over all of them (docs/decisions/0471).
 */

/** Sets how much room the transfers of a period take at least before it ends. Run by the owner, at each start. */
export async function sizePeriods(run: Run, bytes: number): Promise<void> {
  await run('UPDATE ledger.period_rule SET ends_from_bytes = $1 WHERE ends_from_bytes <> $1', [bytes])
}

export async function isPeriodDue(run: Run): Promise<boolean> {
  const { rows } = await run('SELECT ledger.period_is_due() AS due')
  return rows[0]?.['due'] === true
}

/**
 * Begins the next period where that is due, and answers its number, else null. The SQL transaction should end at once. Throws
 * lock_not_available where somebody has been in the ledger for longer than customers can wait.
 */
export async function beginDuePeriod(run: Run): Promise<number | null> {
  const { rows } = await run('SELECT ledger.begin_due_period() AS number')
  return rows[0]?.['number'] as number | null
}

/** Whether PostgreSQL knows how much there is in all periods together; it sees to that itself for each of them. */
export async function areStatisticsOld(run: Run): Promise<boolean> {
  const { rows } = await run('SELECT ledger.statistics_are_old() AS old')
  return rows[0]?.['old'] === true
}

/** Has PostgreSQL look through a sample of all periods, where it does not know them. */
export async function refreshStatistics(run: Run): Promise<void> {
  await run('SELECT ledger.refresh_statistics()')
}
