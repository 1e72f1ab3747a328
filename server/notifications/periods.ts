import type { Deps } from '#server/platform/deps.ts'
import { type Run, runIn } from '#server/platform/db/run.ts'
import { definePeriodsJob, tryForLocks } from '#server/periods/jobs.ts'

/**
 * The table of notices has a partition for each period, as the ledger's tables have (migrations/0493_periods_of_notices.sql). A
 * finished period gets no more notices. It is dropped when all its notices are too old to keep (docs/decisions/0472).
 */
export const NOTICE_PERIODS = {
  of: 'notices',
  isDue: async (run: Run): Promise<boolean> => {
    const { rows } = await run('SELECT bank.notice_period_is_due() AS due')
    return rows[0]?.['due'] === true
  },
  beginDue: async (run: Run): Promise<number | null> => {
    const { rows } = await run('SELECT bank.begin_due_notice_period() AS number')
    return rows[0]?.['number'] as number | null
  },
}
export const beginNoticePeriodJob = definePeriodsJob('notifications.periods', NOTICE_PERIODS)

/**
 * Drops each finished period whose notices are all older than `cutoff`. Returns the numbers of the dropped periods. A period
 * stays if a query is reading it.
 */
export async function dropNoticePeriods({ db }: Pick<Deps, 'db'>, cutoff: Date): Promise<number[]> {
  const run = runIn(db)
  const dropped: number[] = []
  for (;;) {
    // Each period is dropped in a short transaction of its own.
    const result = await tryForLocks(() => run('SELECT bank.drop_notice_period($1) AS number', [cutoff]))
    const number = result?.rows[0]?.['number'] as number | null | undefined
    if (number === null || number === undefined) return dropped
    dropped.push(number)
  }
}

/** Returns the numbers of the existing periods, oldest first. */
export async function noticePeriods({ db }: Pick<Deps, 'db'>): Promise<number[]> {
  const rows = await db.selectFrom('bank.notice_period').select('number').orderBy('number').execute()
  return rows.map(({ number }) => number)
}
