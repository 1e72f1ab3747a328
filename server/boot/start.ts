import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApi } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Config } from '#server/bank/config.ts'
import { type Archive, startArchive } from '#server/platform/backup/archive.ts'
import { namesOwner } from '#server/platform/db/connect.ts'
import { startCluster } from '#server/platform/db/embedded.ts'
import { watchReadiness } from '#server/platform/http/readiness.ts'
import type { Policy } from '#server/bank/policy.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'
import { hasCaughtUp } from '#server/platform/jobs/date-walk.ts'
import { startJobsWhileCurrent } from '#server/boot/pause-when-outdated.ts'
import { type OpenDeps, openDeps } from '#server/boot/open.ts'
import { type ReservedPort, reservePort } from '#server/boot/port.ts'
import { preparedDatabaseUrl, prepareDatabase } from '#server/boot/prepare.ts'
import { LATE_BACKUP, watchLateness } from '#server/platform/lateness.ts'
import { openCustomer } from '#server/sample/open-customer.ts'
import { readBuild } from '#server/bank/build-version.ts'
import { openMetricsPort } from '#server/boot/metrics-port.ts'
import { measureBank } from '#server/boot/telemetry.ts'
import { UNMEASURED } from '#server/platform/telemetry/measures.ts'
import type { Prometheus } from '#server/platform/telemetry/prometheus.ts'

export type RunningServer = {
  port: number
  url: string
  /**
   * Finishes the current work and stops the bank. This takes at most ten seconds, plus the time in which load balancers switch
   * to other servers, and the time in which the embedded PostgreSQL stops.
   */
  close(): Promise<void>
  /** Whether the disk of the backup still does not respond after `close`. Node waits for the disk, even in `process.exit`. */
  isStuck(): boolean
}

/**
 * The time limits for finishing requests and for stopping each part, in milliseconds. The embedded PostgreSQL has 6 more
 * seconds before it is stopped immediately (embedded-postmaster.ts).
 */
const REQUESTS_MS = 3_000
const PARTS_MS = 1_000
/**
 * The time limit for copying the end of the database log to the backup, in milliseconds. The disk of the backup may be on a
 * machine that does not respond.
 */
const BACKUP_MS = 3_000
const SWEEP_MS = 20

/** The time limit for catching up on missed days, in milliseconds. A starting bank stays closed during this time. */
const CATCH_UP_MS = 20_000

/**
 * Starts the bank: the database, migrations, the clock, the ledger, jobs, the API, and finally the open port. `policy` replaces
 * values of the mode's policy, and `prometheus` records the metrics. If the start fails, all parts that have been started are
 * stopped. Throws StartError for problems that a person can solve.
 */
export async function startServer(
  parsedConfig: Config,
  log: Deps['log'],
  { policy = {}, prometheus }: { policy?: Partial<Policy>; prometheus?: Prometheus | undefined } = {},
): Promise<RunningServer> {
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) {
      await closer().catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'))
    }
  }
  try {
    const build = readBuild()
    if (parsedConfig.traces) {
      const { startTracing } = await import('#server/boot/tracing-sdk.ts')
      const stopTracing = startTracing(parsedConfig.traces, { log, build, mode: parsedConfig.mode })
      closers.push(() => within(PARTS_MS, stopTracing()))
    }
    if (parsedConfig.metrics && prometheus)
      closers.push((await openMetricsPort(parsedConfig.metrics, prometheus)).close)
    const embedded = parsedConfig.databaseUrl === null ? await startDatabase(parsedConfig, log, closers) : null
    const ownerUrl = parsedConfig.databaseUrl ?? embedded?.ownerUrl ?? ''
    const door = await reservePort({
      port: parsedConfig.port,
      fixed: parsedConfig.portFixed,
      hosts: parsedConfig.listenHosts,
    })
    closers.push(async () => door.release())
    const config = { ...parsedConfig, port: door.port }
    const { deps, close: closeDeps } = await openOn(ownerUrl, {
      config,
      log,
      policy,
      measures: prometheus ?? UNMEASURED,
      alsoLate: () => (embedded?.archive.isLate() ? [LATE_BACKUP] : []),
    })
    closers.push(() => within(PARTS_MS, closeDeps()))
    if (deps.held.kinds().length > 0)
      log.warn({ held: deps.held.kinds() }, 'this bank was restored and is held; npm run held lists the waiting work')
    if (prometheus) {
      const stopMeasuring = await measureBank(deps, build)
      closers.push(() => within(PARTS_MS, stopMeasuring()))
    }
    const jobs = await startJobsWhileCurrent(deps)
    closers.push(() => within(PARTS_MS, jobs.stop()))
    // New requests must not be recorded on a day that passed while the bank was stopped, so the bank first catches up on the
    // missed days.
    if (!(await hasCaughtUp(deps, CATCH_UP_MS)))
      log.warn('the bank opens before the work of the days it was down is done')
    closers.push(watchLateness(deps))
    closers.push(watchReadiness(deps))
    closers.push(openDoor(deps, door))
    return { port: door.port, url: door.url, close, isStuck: () => embedded?.isStuck() ?? false }
  } catch (error) {
    await close()
    throw error
  }
}

type Embedded = { ownerUrl: string; archive: Archive; isStuck(): boolean }

async function startDatabase(config: Config, log: Deps['log'], closers: (() => Promise<void>)[]): Promise<Embedded> {
  const cluster = await startCluster({
    dir: config.dataDir,
    onNotice: (sentence) => log.warn({ part: 'database' }, sentence),
  })
  closers.push(cluster.stop)
  const archive = startArchive({
    dataDir: config.dataDir,
    pgdata: cluster.pgdata,
    superuserUrl: cluster.superuserUrl,
    onTrouble: (sentence) => log.error({ part: 'backup' }, sentence),
  })
  let isStuck = false
  closers.push(async () => {
    isStuck = true
    await within(
      BACKUP_MS,
      archive.stop().finally(() => (isStuck = false)),
    )
  })
  return { ownerUrl: cluster.ownerUrl(), archive, isStuck: () => isStuck }
}

type Opening = Pick<Deps, 'config' | 'log' | 'measures'> & { policy: Partial<Policy>; alsoLate: () => string[] }

async function openOn(ownerUrl: string, opening: Opening): Promise<OpenDeps> {
  const { mode, secret, earlierSecrets, nextSecret, timeZone, databaseUrl } = opening.config
  const claim = { ownerUrl, secret, earlierSecrets, nextSecret, mode, timeZone, embedded: databaseUrl === null }
  const report = (sentence: string): void => opening.log.warn({ part: 'database' }, sentence)
  const appUrl = namesOwner(ownerUrl) ? await prepareDatabase(claim, report) : await preparedDatabaseUrl(claim)
  return openDeps({ ...opening, appUrl })
}

/** Starts to serve requests. The returned function stops accepting requests and waits for the requests in progress. */
function openDoor(deps: Deps, door: ReservedPort): () => Promise<void> {
  const api = createApi(deps, { openCustomer })
  const servers = door.serveWith(() => createHttpServer(deps, api))
  return async () => {
    await leave(deps, servers)
    const closings = servers.map((server) => closing(server))
    // Streams of live events never end by themselves, so they are ended here.
    deps.events.endSubscriptions()
    await within(REQUESTS_MS, Promise.all(closings))
    for (const server of servers) server.closeAllConnections()
  }
}

/**
 * Makes load balancers use other servers before the port closes. The readiness check fails from now on, and each connection
 * closes after its next response.
 */
async function leave({ readiness, config }: Pick<Deps, 'readiness' | 'config'>, servers: Server[]): Promise<void> {
  for (const server of servers)
    server.prependListener('request', (_incoming, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
  if (readiness.leave()) await sleep(config.drainMs)
}

async function closing(server: Server): Promise<void> {
  const closeEvent = once(server, 'close')
  server.close()
  // A browser's keep-alive connection becomes idle only after the response to its current request. Idle connections are
  // therefore closed repeatedly.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await closeEvent
  clearInterval(sweep)
}

/** Waits for a part to stop, at most `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })])
}
