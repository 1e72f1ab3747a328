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
import type { Held } from '#server/platform/held.ts'
import type { Lateness } from '#server/platform/known-late.ts'
import type { Threads } from '#server/platform/threads.ts'
import type { Translations } from '#server/platform/translations.ts'

/** What the bank opens before its slices. What stands above the platform, and some of it, is declared beside what makes it. */
export interface Core {
  clock: Clock
  dates: DateGate
  held: Held
  log: Logger
  /** The connections of each kind of work. */
  pools: Pools
  /** Those to use: of the request's class and, outside of requests, for what nobody waits for. */
  pool: Pool
  db: Kysely<Database>
  events: EventHub
  limiters: Limiters
  streams: EventStreams
  translations: Translations
  readiness: Readiness
  lateness: Lateness
  /** A thread for what would keep everybody waiting on the main one, and another for what would keep that one waiting. */
  workers: Threads
  longWorkers: Threads
  /** For files that somebody else wrote: what reads them may take too long, and holds up no others then. */
  readers: Threads
}

/**
 * Everything a service may depend on, made when the bank opens. A service names the parts it uses:
 * `Pick<Deps, 'db' | 'ledger'>`. What slices keep between requests, they declare beside what makes it (server/api.ts).
 */
export interface Deps extends Core {}
