import type { Deps } from '#server/platform/deps.ts'
import { type Run, runIn } from '#server/platform/db/run.ts'
import { definePeriodsJob, tryForLocks } from '#server/periods/jobs.ts'

/**
 * Notices are kept by periods as the ledger's rows are (migrations/0493_periods_of_notices.sql): one that is over gets no more
 * of them, and is dropped once all of it is old (docs/decisions/0472).
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

/** Drops each period that is over and has nothing that was told at a time or later. Answers their numbers; one that somebody reads stays. */
export async function dropNoticePeriods({ db }: Pick<Deps, 'db'>, toldBefore: Date): Promise<number[]> {
  const run = runIn(db)
  const gone: number[] = []
  for (;;) {
    // A transaction of its own for each, which ends at once.
    const answer = await tryForLocks(() => run('SELECT bank.drop_notice_period($1) AS number', [toldBefore]))
    const number = answer?.rows[0]?.['number'] as number | null | undefined
    if (number === null || number === undefined) return gone
    gone.push(number)
  }
}

/** Those that there are, oldest first. */
export async function noticePeriods({ db }: Pick<Deps, 'db'>): Promise<number[]> {
  const rows = await db.selectFrom('bank.notice_period').select('number').orderBy('number').execute()
  return rows.map(({ number }) => number)
}
