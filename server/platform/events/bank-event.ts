import { type Kysely, sql } from 'kysely'
import { LIVE_EVENTS } from '#contract/events.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** The PostgreSQL channel on which servers notify each other of customers' changes. */
export const BANK_EVENT = 'bank_event'

/** The number of customers in one payload. PostgreSQL allows 8,000 bytes, and a UUID in JSON takes 39. */
const HOLDERS_PER_PAYLOAD = 200

/**
 * The changes that browsers are notified of. `session`: a session of one of the customers ended, so its event stream ends too.
 */
export const BANK_EVENT_TYPES = [...LIVE_EVENTS.filter((type) => type !== 'replaced'), 'session'] as const
export type BankEventType = (typeof BANK_EVENT_TYPES)[number]

/** Returns the payloads that notify of a change for these customers, as many as needed. */
export function eventPayloads(type: BankEventType, holders: string[]): string[] {
  const payloads: string[] = []
  for (let start = 0; start < holders.length; start += HOLDERS_PER_PAYLOAD) {
    payloads.push(JSON.stringify({ type, holders: holders.slice(start, start + HOLDERS_PER_PAYLOAD) }))
  }
  return payloads
}

/** Sends an event about these customers when the SQL transaction of `db` commits. */
export async function notifyWithin(db: Kysely<Database>, customerIds: string[], type: BankEventType): Promise<void> {
  for (const payload of eventPayloads(type, customerIds))
    await sql`SELECT pg_notify(${BANK_EVENT}, ${payload})`.execute(db)
}
