import { openSlices, SLICES } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Clock, openClock } from '#server/platform/clock.ts'
import { cookieNames } from '#server/platform/http/cookies.ts'
import { withEarlierSecrets } from '#server/platform/db/earlier-secrets.ts'
import { asServing } from '#server/platform/db/serving-role.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openPools, type PoolSizes } from '#server/platform/db/pools.ts'
import { NO_REPLICA, openReplica } from '#server/platform/db/replica.ts'
import { openEventHub } from '#server/platform/events/hub.ts'
import { openStreams, type StreamLimits } from '#server/platform/events/streams.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { openDateGate } from '#server/platform/jobs/date-gate.ts'
import { openRestoreHold } from '#server/platform/restore-hold.ts'
import { openReadiness } from '#server/platform/http/readiness.ts'
import { openLimiters } from '#server/platform/http/limiters.ts'
import { openLateness } from '#server/platform/lateness-snapshot.ts'
import { type Policy, policyFor } from '#server/bank/policy.ts'
import { openConcurrencyLimits, type ConcurrencyLimitOptions } from '#server/bank/concurrency-limits.ts'
import { UNMEASURED } from '#server/platform/telemetry/measures.ts'
import { openThreads } from '#server/platform/worker-threads.ts'
import { type Catalogs, openTranslations, readCatalogs } from '#server/platform/translations.ts'

/**
 * The time limit for reading an uploaded file, in milliseconds. Reading the largest file allowed takes half a second, or two
 * seconds on slow processors.
 */
const READ_WITHIN_MS = 10_000

type OpenOptions = Pick<Deps, 'config' | 'log'> & {
  /** The recorder of the metrics. By default, no metrics are recorded. */
  measures?: Deps['measures']
  /** The database address with the serving role, which `prepareDatabase` returns. */
  appUrl: string
  /** The clock; by default the database's own. */
  clock?: Clock
  /** The limits on concurrent work that replace the defaults. */
  concurrencyLimits?: ConcurrencyLimitOptions
  streams?: Partial<StreamLimits>
  pools?: PoolSizes
  /** Values that replace those of the mode's policy. */
  policy?: Partial<Policy>
  /** The translations; by default the files in `locales/`. */
  catalogs?: Catalogs
  /** Returns the names of overdue work that is not recorded in the database. */
  alsoLate?: () => string[]
}

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens the bank with the serving role, on a prepared database. `close` waits until pending writes are done. */
export async function openDeps({ config: givenConfig, log, appUrl: url, ...options }: OpenOptions): Promise<OpenDeps> {
  const policy = { ...policyFor(givenConfig), ...options.policy }
  const measures = options.measures ?? UNMEASURED
  const { pools, close: closePools } = openPools(url, measures, options.pools)
  const { pool, db } = pools.background
  const replica =
    givenConfig.replicaUrl === null
      ? NO_REPLICA
      : openReplica({ url: asServing(givenConfig.replicaUrl, url), log, measures })
  const closeConnections = async () => void (await Promise.all([closePools(), replica.close()]))
  try {
    const config = await withEarlierSecrets(runOn(pool), givenConfig)
    const clock = options.clock ?? (await openClock({ db, policy }))
    const restoreHold = await openRestoreHold(db)
    const readiness = openReadiness({ pools })
    const events = await openEventHub({ pool, log, onMigrations: () => void readiness.lookAnew() })
    const ledger = createLedger({
      url,
      ceilings: policy.markets.holdingMinor,
      measures,
      onCommitted: (holderIds) => events.notifySoon(holderIds, 'balance'),
    })
    const concurrencyLimits = openConcurrencyLimits(measures, options.concurrencyLimits)
    const streams = openStreams(options.streams)
    const threads = openAllThreads(log, concurrencyLimits)
    const translations = openTranslations(options.catalogs ?? readCatalogs())
    measures.watch('alder_live_streams', () => [{ labels: {}, value: streams.count() }])
    const deps = openSlices({
      config,
      cookies: cookieNames(config),
      policy,
      clock,
      dates: openDateGate(clock, () => restoreHold.has('changes')),
      held: restoreHold,
      log,
      measures,
      pools,
      replica,
      pool,
      db,
      ledger,
      events,
      limiters: openLimiters(pools.payments.pool, measures),
      slices: SLICES,
      streams,
      concurrencyLimits,
      readiness,
      lateness: openLateness(options.alsoLate),
      translations,
      ...threads,
    })
    return {
      deps,
      close: async () => {
        restoreHold.close()
        await Promise.all([ledger.close(), ...Object.values(threads).map((thread) => thread.destroy())])
        for (const slice of deps.slices) await slice.flush?.(deps)
        await events.close()
        await closeConnections()
      },
    }
  } catch (error) {
    await closeConnections()
    throw error
  }
}

/** Opens the threads for work that occupies a processor for a long time. */
function openAllThreads(
  log: Deps['log'],
  limits: Deps['concurrencyLimits'],
): Pick<Deps, 'workers' | 'longWorkers' | 'readers'> {
  return {
    workers: openThreads(log, { atATime: limits.receipts.running + limits.statements.running }),
    // Long statements have their own threads, so that they do not delay receipts and monthly statements.
    longWorkers: openThreads(log, { atATime: limits.longStatements.running }),
    readers: openThreads(log, { atATime: 1, deadlineMs: READ_WITHIN_MS }),
  }
}
