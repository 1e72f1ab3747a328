import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#server/platform/clock.ts'
import type { Pools } from '#server/platform/db/pools.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { EventHub } from '#server/platform/events/hub.ts'
import type { Readiness } from '#server/platform/http/readiness.ts'
import type { Limiters } from '#server/platform/http/limiters.ts'
import type { DateGate } from '#server/platform/jobs/date-gate.ts'
import type { EventStreams } from '#server/platform/events/streams.ts'
import type { RestoreHold } from '#server/platform/restore-hold.ts'
import type { LatenessSnapshot } from '#server/platform/lateness-snapshot.ts'
import type { Threads } from '#server/platform/worker-threads.ts'
import type { Translations } from '#server/platform/translations.ts'

/**
 * The dependencies that the bank opens before its slices. Parts above the platform, and some parts of the platform, are
 * declared beside the code that makes them.
 */
export interface Core {
  clock: Clock
  dates: DateGate
  held: RestoreHold
  log: Logger
  /** The pools for each kind of work. */
  pools: Pools
  /**
   * The connections for the present kind of work: for the kind of the current request or, outside of requests, for background
   * work.
   */
  pool: Pool
  db: Kysely<Database>
  events: EventHub
  limiters: Limiters
  streams: EventStreams
  translations: Translations
  readiness: Readiness
  lateness: LatenessSnapshot
  /**
   * `workers`: threads for work that would block the main thread. `longWorkers`: threads for work that would block `workers`.
   */
  workers: Threads
  longWorkers: Threads
  /** Threads that read files from outside the bank. Reading these may take too long, and must not delay other work. */
  readers: Threads
}

/**
 * All dependencies of services, made when the bank opens. A service names the parts that it uses: `Pick<Deps, 'db' |
 * 'ledger'>`. Slices declare the state that they keep between requests beside the code that makes it (server/api.ts).
 */
export interface Deps extends Core {}
