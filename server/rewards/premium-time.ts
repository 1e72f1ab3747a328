import type { Selectable } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

type Stretch = Pick<Selectable<Database['bank.premium']>, 'started_at' | 'paid_until' | 'renews' | 'tries' | 'ended_at'>

/**
 * Returns whether a period of Premium covers a business time. A period that renews still counts after its paid time, because
 * the job that charges the next month runs a moment later. If this charge was refused, only the paid time counts.
 */
export function premiumCovers({ started_at, paid_until, renews, tries, ended_at }: Stretch, at: Date): boolean {
  const goesOn = ended_at === null && renews && tries === 0
  return started_at <= at && (at < paid_until || goesOn)
}

/** Returns a function that tests whether a customer's points are doubled at a business time. */
export async function readDoubling(
  db: Deps['db'],
  customerIds: readonly string[],
): Promise<(customerId: string, at: Date) => boolean> {
  const rows = await db
    .selectFrom('bank.premium')
    .select(['customer_id', 'started_at', 'paid_until', 'renews', 'tries', 'ended_at'])
    .where('customer_id', 'in', customerIds)
    .execute()
  const stretches = Map.groupBy(rows, (row) => row.customer_id)
  return (customerId, at) => (stretches.get(customerId) ?? []).some((stretch) => premiumCovers(stretch, at))
}
