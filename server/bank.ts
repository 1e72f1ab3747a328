import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/schema.ts'
import type { EventHub } from '#server/events/hub.ts'
import type { Ledger } from '#server/ledger/types.ts'
import type { Policy } from '#server/policy.ts'

/** Everything a service may depend on. A service names the parts it uses: `Pick<Bank, 'db' | 'ledger'>`. */
export type Bank = {
  config: Config
  policy: Policy
  clock: Clock
  log: Logger
  pool: Pool
  db: Kysely<Database>
  ledger: Ledger
  events: EventHub
}
