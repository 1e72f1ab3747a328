import { setTimeout as rest } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import { areStatisticsOld, beginDuePeriod, isPeriodDue, refreshStatistics } from '#server/ledger/periods.ts'
import type { Deps } from '#server/platform/deps.ts'
import { errorCode, inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

const LOCK_NOT_AVAILABLE = '55P03'
/**
 * The number of attempts per run. An attempt waits for the locks for at most a fifth of a second, and customers' requests wait
 * behind it.
 */
const TRIES = 3
/**
 * The pause between attempts, in milliseconds. It is random, so that the next attempt does not meet the next statement of the
 * same long reader.
 */
const REST_MS = { least: 1_000, most: 3_000 }

/**
 * Returns whether an error means that no lock was available. If a transaction was retried and failed again, the error is a
 * Refusal, and its cause is the error of PostgreSQL.
 */
const isLocked = (error: unknown): boolean =>
  errorCode(error instanceof Refusal ? error.cause : error) === LOCK_NOT_AVAILABLE

type Wait = { least: number; most: number }

/**
 * Runs work that fails if it cannot lock its tables almost at once. If it fails for this reason, it is tried again a few times.
 * Returns null if no attempt got the locks.
 */
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

/** Tables that are divided into periods. `of` is their name in log messages. */
type Periods = {
  of: string
  isDue(run: Run): Promise<boolean>
  /** Begins the next period and returns its number, or null if none was due. */
  beginDue(run: Run): Promise<number | null>
}

/**
 * Begins the next period if it is due and returns its number. Returns null if none was due or a long reader held the tables.
 */
export async function beginPeriod(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { of: periodsName, beginDue }: Periods,
  restMs?: Wait,
): Promise<number | null> {
  // Each attempt is a short transaction of its own.
  const answer = await tryForLocks(async () => ({ number: await beginDue(runIn(db)) }), restMs)
  if (answer === null) log.info(`a period of ${periodsName} is over, but a long read blocks its end: it ends later`)
  return answer?.number ?? null
}

/** Defines the job that begins the next period once the current one is over. */
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

/**
 * The limit for refreshing statistics, in milliseconds. PostgreSQL reads a sample of each period, which takes some seconds at
 * any size.
 */
const STATISTICS_MS = 300_000

export const statisticsJob = defineRecurringJob({
  name: 'periods.statistics',
  everyMinutes: 60,
  isDue: (deps) => areStatisticsOld(runIn(deps.db)),
  work: async ({ db, log }) => {
    const result = await tryForLocks(() =>
      inTransaction(db, async (trx) => {
        const run = runIn(trx)
        await run(`SET LOCAL statement_timeout = ${STATISTICS_MS}`)
        await refreshStatistics(run)
        return true
      }),
    )
    if (result === null) log.info("PostgreSQL is maintaining the ledger's tables: their statistics are refreshed later")
  },
})
