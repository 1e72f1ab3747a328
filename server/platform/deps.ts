import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Pools } from '#server/platform/db/pools.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { EventHub } from '#server/platform/events/hub.ts'
import type { Readiness } from '#server/platform/http/health.ts'
import type { Limiters } from '#server/platform/http/rate-limit.ts'
import type { EventStreams } from '#server/platform/events/streams.ts'
import type { Lateness } from '#server/platform/lateness.ts'
import type { Policy } from '#server/platform/policy.ts'
import type { Shares } from '#server/platform/shares.ts'
import type { Slice } from '#server/platform/slice.ts'
import type { Threads } from '#server/platform/threads.ts'
import type { Translations } from '#server/platform/translations.ts'

/**
 * Everything a service may depend on, made when the bank opens. A service names the parts it uses:
 * `Pick<Deps, 'db' | 'ledger'>`. What the ledger and the slices add, they declare beside what makes it.
 */
export interface Deps {
  config: Config
  policy: Policy
  clock: Clock
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
  shares: Shares
  readiness: Readiness
  lateness: Lateness
  /** A thread for what would keep everybody waiting on the main one, and another for what would keep that one waiting. */
  workers: Threads
  longWorkers: Threads
  /** For files that somebody else wrote: what reads them may take too long, and holds up no others then. */
  readers: Threads
  slices: readonly Slice[]
}
