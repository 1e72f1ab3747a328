import { setTimeout as rest } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import { areStatisticsOld, beginDuePeriod, isPeriodDue, refreshStatistics } from '#server/ledger/periods.ts'
import type { Deps } from '#server/platform/deps.ts'
import { errorCode, inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

const LOCK_NOT_AVAILABLE = '55P03'
/** Customers wait behind each try for a fifth of a second, so there are few of them until the next run. */
const TRIES = 3
/** By chance, so that it does not meet the same long reader's next statement again. Milliseconds. */
const REST_MS = { least: 1_000, most: 3_000 }

/** A transaction that was tried again and got no lock either is refused, for that reason. */
const isLocked = (error: unknown): boolean =>
  errorCode(error instanceof Refusal ? error.cause : error) === LOCK_NOT_AVAILABLE

type Wait = { least: number; most: number }

/** What the owner's functions do to tables that others use: it takes its locks at once or not at all. Answers null where it got none. */
export async function tryForLocks<Result>(work: () => Promise<Result>, restMs: Wait = REST_MS): Promise<Result | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error)) throw error
    }
    if (tries === TRIES) return null
    await rest(restMs.least + Math.random() * (restMs.most - restMs.least))
  }
}

/** Tables that are kept by periods: `of` says what they are in the log. */
type Periods = {
  of: string
  isDue(run: Run): Promise<boolean>
  /** Answers the new period's number, or null where none was due. */
  beginDue(run: Run): Promise<number | null>
}

/** Begins the next period where that is due. Answers its number; null where none was, or somebody was in the tables for too long. */
export async function beginPeriod(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { of, beginDue }: Periods,
  restMs?: Wait,
): Promise<number | null> {
  // A transaction of its own, which ends at once.
  const answer = await tryForLocks(async () => ({ number: await beginDue(runIn(db)) }), restMs)
  if (answer === null)
    log.info(`a period of ${of} is over, and somebody reads it for longer than customers can wait: it ends later`)
  return answer?.number ?? null
}

/** Has the next period begin once the one before is over. */
export const definePeriodsJob = (name: string, periods: Periods) =>
  defineRecurringJob({
    name,
    everyMinutes: 10,
    isDue: (deps) => periods.isDue(runIn(deps.db)),
    work: async (deps) => {
      const number = await beginPeriod(deps, periods)
      if (number !== null) deps.log.info({ period: number }, `a period of ${periods.of} has begun`)
    },
  })

export const LEDGER_PERIODS: Periods = { of: 'the ledger', isDue: isPeriodDue, beginDue: beginDuePeriod }
export const beginPeriodJob = definePeriodsJob('periods.begin', LEDGER_PERIODS)

/** It reads a sample of each period, however large they are: some seconds. */
const STATISTICS_MS = 300_000

export const statisticsJob = defineRecurringJob({
  name: 'periods.statistics',
  everyMinutes: 60,
  isDue: (deps) => areStatisticsOld(runIn(deps.db)),
  work: async ({ db, log }) => {
    const done = await tryForLocks(() =>
      inTransaction(db, async (trx) => {
        const run = runIn(trx)
        await run(`SET LOCAL statement_timeout = ${STATISTICS_MS}`)
        await refreshStatistics(run)
        return true
      }),
    )
    if (done === null)
      log.info('PostgreSQL itself works on the tables of the ledger: their statistics are refreshed later')
  },
})
