import { setTimeout as rest } from 'node:timers/promises'
import { areStatisticsOld, beginDuePeriod, isPeriodDue, refreshStatistics } from '#server/ledger/periods.ts'
import type { Deps } from '#server/platform/deps.ts'
import { errorCode, inTransaction, runIn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

const LOCK_NOT_AVAILABLE = '55P03'
/** Customers wait behind each try for a fifth of a second, so there are few of them until the next run. */
const TRIES = 3
/** By chance, so that it does not meet the same long reader's next statement again. Milliseconds. */
const REST_MS = { least: 1_000, most: 3_000 }

/** Begins the next period where that is due. Answers its number; null where none was, or somebody was in the ledger for too long. */
export async function beginPeriod({ db, log }: Pick<Deps, 'db' | 'log'>, restMs = REST_MS): Promise<number | null> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      // A transaction of its own, which ends at once.
      return await beginDuePeriod(runIn(db))
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    }
    if (tries < TRIES) await rest(restMs.least + Math.random() * (restMs.most - restMs.least))
  }
  log.info('a period of the ledger is over, and somebody reads it for longer than customers can wait: it ends later')
  return null
}

export const beginPeriodJob = defineRecurringJob({
  name: 'periods.begin',
  everyMinutes: 10,
  isDue: (deps) => isPeriodDue(runIn(deps.db)),
  work: async (deps) => {
    const number = await beginPeriod(deps)
    if (number !== null) deps.log.info({ period: number }, 'a period of the ledger has begun')
  },
})

/** It reads a sample of each period, however large they are: some seconds. */
const STATISTICS_MS = 300_000

export const statisticsJob = defineRecurringJob({
  name: 'periods.statistics',
  everyMinutes: 60,
  isDue: (deps) => areStatisticsOld(runIn(deps.db)),
  work: ({ db }) =>
    inTransaction(db, async (trx) => {
      const run = runIn(trx)
      await run(`SET LOCAL statement_timeout = ${STATISTICS_MS}`)
      await refreshStatistics(run)
    }),
})
