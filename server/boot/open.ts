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
import { openHeld } from '#server/platform/held.ts'
import { openReadiness } from '#server/platform/http/readiness.ts'
import { openLimiters } from '#server/platform/http/limiters.ts'
import { openLateness } from '#server/platform/known-late.ts'
import { type Policy, policyFor } from '#server/bank/policy.ts'
import { openShares, type ShareOptions } from '#server/bank/shares.ts'
import { UNMEASURED } from '#server/platform/telemetry/measures.ts'
import { openThreads } from '#server/platform/threads.ts'
import { type Catalogs, openTranslations, readCatalogs } from '#server/platform/translations.ts'

/** A file of the most that is taken is read in half a second, on slow cores in two. Milliseconds. */
const READ_WITHIN_MS = 10_000

type OpenOptions = Pick<Deps, 'config' | 'log'> & {
  /** Who measures; nobody unless told. */
  measures?: Deps['measures']
  /** Where the serving role finds the database, as prepareDatabase answered. */
  appUrl: string
  /** The database's own clock unless told. */
  clock?: Clock
  /** Sizes that are other than usual. */
  shares?: ShareOptions
  streams?: Partial<StreamLimits>
  pools?: PoolSizes
  /** What of the policy is other than its mode's. */
  policy?: Partial<Policy>
  /** What it says in which language, where that is not in `locales/`. */
  catalogs?: Catalogs
  /** What is late besides that no table says. */
  alsoLate?: () => string[]
}

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens the bank on a prepared database, as the serving role. `close` waits for what still is to be written. */
export async function openDeps({ config: told, log, appUrl: url, ...given }: OpenOptions): Promise<OpenDeps> {
  const policy = { ...policyFor(told), ...given.policy }
  const measures = given.measures ?? UNMEASURED
  const { pools, close: closePools } = openPools(url, measures, given.pools)
  const { pool, db } = pools.background
  const replica =
    told.replicaUrl === null ? NO_REPLICA : openReplica({ url: asServing(told.replicaUrl, url), log, measures })
  const closeConnections = async () => void (await Promise.all([closePools(), replica.close()]))
  try {
    const config = await withEarlierSecrets(runOn(pool), told)
    const clock = given.clock ?? (await openClock({ db, policy }))
    const held = await openHeld(db)
    const readiness = openReadiness({ pools })
    const events = await openEventHub({ pool, log, onMigrations: () => void readiness.lookAnew() })
    const ledger = createLedger({
      url,
      ceilings: policy.markets.holdingMinor,
      measures,
      onCommitted: (holderIds) => events.notifySoon(holderIds, 'balance'),
    })
    const [shares, streams] = [openShares(measures, given.shares), openStreams(given.streams)]
    const workers = openThreads(log, { atATime: shares.receipts.running + shares.statements.running })
    // Apart from the others, so that no receipt and no statement of a month is kept waiting.
    const longWorkers = openThreads(log, { atATime: shares.longStatements.running })
    const readers = openThreads(log, { atATime: 1, deadlineMs: READ_WITHIN_MS })
    const translations = openTranslations(given.catalogs ?? readCatalogs())
    measures.watch('alder_live_streams', () => [{ labels: {}, value: streams.count() }])
    const deps = openSlices({
      config,
      cookies: cookieNames(config),
      policy,
      clock,
      dates: openDateGate(clock, () => held.has('changes')),
      held,
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
      shares,
      readiness,
      lateness: openLateness(given.alsoLate),
      translations,
      workers,
      longWorkers,
      readers,
    })
    return {
      deps,
      close: async () => {
        held.close()
        await Promise.all([ledger.close(), workers.destroy(), longWorkers.destroy(), readers.destroy()])
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
