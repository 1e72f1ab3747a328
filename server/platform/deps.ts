import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { EventHub } from '#server/platform/events/hub.ts'
import type { Limiters } from '#server/platform/http/rate-limit.ts'
import type { SessionQueue } from '#server/identity/sessions/sessions.ts'
import type { Ledger } from '#server/ledger/types.ts'
import type { AlertQueue } from '#server/notifications/alerts.ts'
import type { ContactQueue } from '#server/payments/contacts.ts'
import type { PartyQueue } from '#server/payments/parties.ts'
import type { Policy } from '#server/platform/policy.ts'

/** Everything a service may depend on. A service names the parts it uses: `Pick<Deps, 'db' | 'ledger'>`. */
export type Deps = {
  config: Config
  policy: Policy
  clock: Clock
  log: Logger
  pool: Pool
  db: Kysely<Database>
  ledger: Ledger
  events: EventHub
  limiters: Limiters
  // What one server gathers for a moment, so that many share a statement. Nothing is remembered in them.
  sessions: SessionQueue
  parties: PartyQueue
  contacts: ContactQueue
  alerts: AlertQueue
}
