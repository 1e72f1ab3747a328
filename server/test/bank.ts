import { pino } from 'pino'
import type { Deps } from '#server/platform/deps.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, SAMPLE_ROUTING_NUMBER } from '#server/bank/config.ts'
import { type Policy, UNLIMITED_OPERATIONS } from '#server/bank/policy.ts'
import { openDeps } from '#server/boot/open.ts'
import type { PoolSizes } from '#server/platform/db/pools.ts'
import type { StreamLimits } from '#server/platform/events/streams.ts'
import type { ShareOptions } from '#server/bank/shares.ts'
import { type Catalogs, readCatalogs } from '#server/platform/translations.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & {
  /** Puts both the business date and the world's where the test wants them. */
  set(now: Date): void
}

/** The sample day. */
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
    set: (given) => {
      now = given
    },
  }
}

export type TestBankOptions = {
  config?: Partial<Config>
  /** A clock that stands still at the sample day unless told; 'database' is the bank's own, which ticks. */
  clock?: Clock | 'database'
  /** Who measures; nobody unless told. */
  measures?: Deps['measures']
  /** Lines of the log are put here. */
  logged?: Record<string, unknown>[]
  /** Sizes that are other than usual. */
  shares?: ShareOptions
  streams?: Partial<StreamLimits>
  pools?: PoolSizes
  /** What of the policy is other than its mode's; the number of operations is not limited unless told. */
  policy?: Partial<Policy>
  /** What it says in which language, where that is not in `locales/`. */
  catalogs?: Catalogs
  /** Another bank on this one's database. */
  beside?: { database: TestDatabase }
}

export type TestDeps = { deps: Deps; clock: Clock; database: TestDatabase; close(): Promise<void> }

/** Read once for all the banks of a worker. */
const CATALOGS = readCatalogs()

/** A real bank, with a ledger and live events, on a fresh database of its own. The caller closes it. */
export async function testDeps(options: TestBankOptions = {}): Promise<TestDeps> {
  const { config, clock, logged, beside, catalogs = CATALOGS, ...sizes } = options
  const database = beside?.database ?? (await testDatabase())
  const { deps, close } = await openDeps({
    ...(sizes.shares ? { shares: sizes.shares } : {}),
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
