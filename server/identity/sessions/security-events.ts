import type { Kysely } from 'kysely'
import type { SecurityEvent } from '#contract/identity.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'

export type NewSecurityEvent = { customerId: string; kind: SecurityEventKind; caller: Caller }

/** Records an event in a customer's account, when the SQL transaction of `db` commits. */
export async function recordSecurityEvent(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  { customerId, kind, caller }: NewSecurityEvent,
): Promise<void> {
  await db
    .insertInto('bank.security_event')
    .values({
      customer_id: customerId,
      kind,
      device: JSON.stringify(caller.device),
      network_zone: caller.networkZone,
      happened_at: deps.clock.realNow(),
    })
    .execute()
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    /** The kinds of security event that the slice records. */
    securityEvents?: readonly SecurityEventKind[]
  }
}

/** Returns a customer's security events, newest first. `before` is the id of the last event on the previous page. */
export async function securityEventsOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<SecurityEvent[]> {
  const rows = await deps.db
    .selectFrom('bank.security_event')
    .select(['id', 'kind', 'device', 'network_zone', 'happened_at'])
    .where('customer_id', '=', customerId)
    .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, kind, device, network_zone, happened_at }) => ({
    id: String(id),
    kind,
    device,
    networkZone: network_zone,
    at: happened_at.toISOString(),
  }))
}
