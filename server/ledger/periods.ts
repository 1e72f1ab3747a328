import type { Run } from '#server/platform/db/run.ts'

/**
 * Operations and transfers are stored by period. Each period is a partition that never changes after its end
 * (migrations/0473_periods.sql). Ids, holds and reversals stay unique over all periods although each period has its own indexes
 * (docs/decisions/0471).
 */

/** Sets the size in bytes that a period's transfers must reach before it ends. The owner role runs it at each start. */
export async function sizePeriods(run: Run, bytes: number): Promise<void> {
  await run('UPDATE ledger.period_rule SET ends_from_bytes = $1 WHERE ends_from_bytes <> $1', [bytes])
}

export async function isPeriodDue(run: Run): Promise<boolean> {
  const { rows } = await run('SELECT ledger.period_is_due() AS due')
  return rows[0]?.['due'] === true
}

/**
 * Begins the next period if it is due and returns the period's number. Returns null if none is due. The SQL transaction should
 * end at once. Throws lock_not_available if another transaction holds a ledger lock for longer than customers can wait.
 */
export async function beginDuePeriod(run: Run): Promise<number | null> {
  const { rows } = await run('SELECT ledger.begin_due_period() AS number')
  return rows[0]?.['number'] as number | null
}

/**
 * Whether PostgreSQL's statistics of the partitioned tables, over all periods, are out of date. PostgreSQL updates the
 * statistics of single periods itself.
 */
export async function areStatisticsOld(run: Run): Promise<boolean> {
  const { rows } = await run('SELECT ledger.statistics_are_old() AS old')
  return rows[0]?.['old'] === true
}

/** Updates PostgreSQL's statistics of the partitioned tables, over all periods, from a sample if they are out of date. */
export async function refreshStatistics(run: Run): Promise<void> {
  await run('SELECT ledger.refresh_statistics()')
}
