import { pino } from 'pino'
import type { Deps } from '#server/platform/deps.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, SAMPLE_ROUTING_NUMBER } from '#server/bank/config.ts'
import { type Policy, UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { openDeps } from '#server/boot/open.ts'
import type { PoolSizes } from '#server/platform/db/pools.ts'
import type { StreamLimits } from '#server/platform/events/streams.ts'
import type { ConcurrencyLimitOptions } from '#server/bank/concurrency-limits.ts'
import { type Catalogs, readCatalogs } from '#server/platform/translations.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

/** A clock that moves only when a test moves it. */
export type TestClock = Clock & {
  /** Sets both the business time and real time. */
  set(now: Date): void
}

/** The first day of a sample bank. */
const NOW = '2026-08-28T09:41:00.000Z'

export function testClock(start: Date = new Date(NOW)): TestClock {
  let now = start
  return {
    businessNow: () => new Date(now),
    realNow: () => new Date(now),
    movingTo: () => null,
    readAgoMs: () => 0,
    refresh: async () => undefined,
    advance: async (ms) => {
      now = new Date(now.getTime() + ms)
    },
    set: (time) => {
      now = time
    },
  }
}

export type TestBankOptions = {
  config?: Partial<Config>
  /** The clock; by default one that stands still at the sample day. 'database' is the bank's own running clock. */
  clock?: Clock | 'database'
  /** The receiver of measurements; none by default. */
  measures?: Deps['measures']
  /** Collects the lines of the log. */
  logged?: Record<string, unknown>[]
  /** Sizes that differ from the defaults. */
  concurrencyLimits?: ConcurrencyLimitOptions
  streams?: Partial<StreamLimits>
  pools?: PoolSizes
  /** Changes to the policy of the mode. The number of operations is unlimited by default. */
  policy?: Partial<Policy>
  /** Translations that replace those in `locales/`. */
  catalogs?: Catalogs
  /** A bank whose database this one shares. */
  beside?: { database: TestDatabase }
}

export type TestDeps = { deps: Deps; clock: Clock; database: TestDatabase; close(): Promise<void> }

/** The catalogs are read once for all banks of a worker. */
const CATALOGS = readCatalogs()

/** Opens a real bank, with a ledger and live events, on a new database or on that of `beside`. The caller closes it. */
export async function testDeps(options: TestBankOptions = {}): Promise<TestDeps> {
  const { config, clock, logged, beside, catalogs = CATALOGS, ...sizes } = options
  const database = beside?.database ?? (await testDatabase())
  const { deps, close } = await openDeps({
    ...(sizes.concurrencyLimits ? { concurrencyLimits: sizes.concurrencyLimits } : {}),
    ...(sizes.streams ? { streams: sizes.streams } : {}),
    ...(sizes.pools ? { pools: sizes.pools } : {}),
    ...(sizes.measures ? { measures: sizes.measures } : {}),
    policy: { operations: UNLIMITED_OPERATIONS, ...sizes.policy },
    catalogs,
    appUrl: database.appUrl,
    config: testConfig(database, config),
    log: pino({ level: logged ? 'debug' : 'silent', base: null }, { write: (line) => logged?.push(JSON.parse(line)) }),
    ...(clock === 'database' ? {} : { clock: clock ?? testClock() }),
  })
  return {
    deps,
    clock: deps.clock,
    database,
    close: async () => {
      await close()
      if (!beside) await database.drop()
    },
  }
}

function testConfig(database: TestDatabase, changes: Partial<Config> = {}): Config {
  return {
    mode: 'sample',
    port: 0,
    portFixed: false,
    listenHosts: null,
    drainMs: 0,
    dataDir: '',
    databaseUrl: database.ownerUrl,
    replicaUrl: null,
    secret: testContext('secret'),
    earlierSecrets: [],
    nextSecret: null,
    timeZone: null,
    routingNumber: SAMPLE_ROUTING_NUMBER,
    origin: null,
    smtpUrl: null,
    smsUrl: null,
    smsToken: null,
    logLevel: 'silent',
    trustProxy: false,
    sampleDate: 'everybody',
    rail: null,
    priceFeed: null,
    advisor: null,
    sealHeads: { file: null, mail: null, url: null },
    cardSchemeSecret: null,
    metrics: null,
    traces: null,
    previousCardSchemeSecret: null,
    ...changes,
  }
}
