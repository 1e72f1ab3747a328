import { type Kysely, sql } from 'kysely'
import { LIVE_EVENTS } from '#contract/events.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** The PostgreSQL channel on which servers tell each other what changed for whom. */
export const BANK_EVENT = 'bank_event'

/** PostgreSQL takes a payload of 8,000 bytes; a UUID in JSON takes 39. */
const HOLDERS_PER_PAYLOAD = 200

/** What browsers are told of when it changes, and `session`: one of these customers' sessions ended, so that its event stream does too. */
export const BANK_EVENT_TYPES = [...LIVE_EVENTS.filter((type) => type !== 'replaced'), 'session'] as const
export type BankEventType = (typeof BANK_EVENT_TYPES)[number]

/** What goes over the channel to say that something changed for these customers, in as many payloads as it takes. */
export function eventPayloads(type: BankEventType, holders: string[]): string[] {
  const payloads: string[] = []
  for (let start = 0; start < holders.length; start += HOLDERS_PER_PAYLOAD) {
    payloads.push(JSON.stringify({ type, holders: holders.slice(start, start + HOLDERS_PER_PAYLOAD) }))
  }
  return payloads
}

/** Sends an event about these customers once the SQL transaction of `db` commits. */
export async function notifyWithin(db: Kysely<Database>, customerIds: string[], type: BankEventType): Promise<void> {
  for (const payload of eventPayloads(type, customerIds))
    await sql`SELECT pg_notify(${BANK_EVENT}, ${payload})`.execute(db)
}
