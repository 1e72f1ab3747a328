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
import { caughtUp } from '#server/platform/jobs/date-walk.ts'
import { startJobsWhileCurrent } from '#server/boot/while-current.ts'
import { type OpenDeps, openDeps } from '#server/boot/open.ts'
import { type ReservedPort, reservePort } from '#server/boot/port.ts'
import { findPrepared, prepareDatabase } from '#server/boot/prepare.ts'
import { LATE_BACKUP, watchLateness } from '#server/platform/lateness.ts'
import { openCustomer } from '#server/sample/open-customer.ts'
import { readBuild } from '#server/bank/build.ts'
import { openMetricsPort } from '#server/boot/metrics-port.ts'
import { measureBank } from '#server/boot/telemetry.ts'
import { UNMEASURED } from '#server/platform/telemetry/measures.ts'
import type { Prometheus } from '#server/platform/telemetry/prometheus.ts'

export type RunningServer = {
  port: number
  url: string
  /** Finishes what is under way and stops, within ten seconds and those that balancers are given to notice. */
  close(): Promise<void>
  /** Whether a disk has still not answered then. Node waits for it, however it is told to end. */
  isStuck(): boolean
}

/** How long each part may take to stop. PostgreSQL has 4 s of its own before it is hurried. */
const REQUESTS_MS = 3_000
const PARTS_MS = 1_000
/** How long the last of the log may take to its backup, in milliseconds: its disk may be on a machine that does not answer. */
const BACKUP_MS = 3_000
const SWEEP_MS = 20

/** How long the bank stays closed to work the days on which it stood still, in milliseconds. */
const CATCH_UP_MS = 20_000

/**
 * Starts the bank: database, migrations, clock, ledger, jobs, API, and last of all the open port. `policy` is what of its
 * mode's is to be other, `prometheus` who measures.
 * Throws StartError for what a person can put right; whatever had been started by then is stopped again.
 */
export async function startServer(
  given: Config,
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
    if (given.traces) {
      const { startTracing } = await import('#server/boot/tracing-sdk.ts')
      const stopTracing = startTracing(given.traces, { log, build, mode: given.mode })
      closers.push(() => within(PARTS_MS, stopTracing()))
    }
    if (given.metrics && prometheus) closers.push((await openMetricsPort(given.metrics, prometheus)).close)
    const embedded = given.databaseUrl === null ? await startDatabase(given, log, closers) : null
    const ownerUrl = given.databaseUrl ?? embedded?.ownerUrl ?? ''
    const door = await reservePort({ port: given.port, fixed: given.portFixed, hosts: given.listenHosts })
    closers.push(async () => door.release())
    const config = { ...given, port: door.port }
    const { deps, close: closeDeps } = await openOn(ownerUrl, {
      config,
      log,
      policy,
      measures: prometheus ?? UNMEASURED,
      alsoLate: () => (embedded?.archive.isLate() ? [LATE_BACKUP] : []),
    })
    closers.push(() => within(PARTS_MS, closeDeps()))
    if (deps.held.kinds().length > 0)
      log.warn({ held: deps.held.kinds() }, 'this bank was restored and is held; npm run held says what waits')
    if (prometheus) {
      const stopMeasuring = await measureBank(deps, build)
      closers.push(() => within(PARTS_MS, stopMeasuring()))
    }
    const jobs = await startJobsWhileCurrent(deps)
    closers.push(() => within(PARTS_MS, jobs.stop()))
    // What customers do now is not to be recorded as of a day on which the bank stood still.
    if (!(await caughtUp(deps, CATCH_UP_MS)))
      log.warn('the bank opens before the days are worked on which it stood still')
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
  const say = (sentence: string): void => opening.log.warn({ part: 'database' }, sentence)
  const appUrl = namesOwner(ownerUrl) ? await prepareDatabase(claim, say) : await findPrepared(claim)
  return openDeps({ ...opening, appUrl })
}

/** Begins to answer; the answered function stops accepting and waits for requests under way. */
function openDoor(deps: Deps, door: ReservedPort): () => Promise<void> {
  const api = createApi(deps, { openCustomer })
  const servers = door.serveWith(() => createHttpServer(deps, api))
  return async () => {
    await leave(deps, servers)
    const closed = servers.map((server) => closing(server))
    // Live event streams never end by themselves.
    deps.events.endSubscriptions()
    await within(REQUESTS_MS, Promise.all(closed))
    for (const server of servers) server.closeAllConnections()
  }
}

/**
 * Has balancers send requests elsewhere before the door closes: those who ask whether the bank is ready are told that it is
 * not, and connections end with the response that is next on them.
 */
async function leave({ readiness, config }: Pick<Deps, 'readiness' | 'config'>, servers: Server[]): Promise<void> {
  for (const server of servers)
    server.prependListener('request', (_incoming, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
  if (readiness.leave()) await sleep(config.drainMs)
}

async function closing(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that its browser keeps for the next request is idle only once this request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await closed
  clearInterval(sweep)
}

/** Waits for a part to stop, but not for ever. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })])
}
