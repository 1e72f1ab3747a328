import type { Selectable } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

type Stretch = Pick<Selectable<Database['bank.premium']>, 'started_at' | 'paid_until' | 'renews' | 'tries' | 'ended_at'>

/**
 * Whether a stretch of Premium counts at a business time. One that renews goes on past what is paid until the charge for
 * the next month has been refused: the job that charges it comes a moment later.
 */
export function covers({ started_at, paid_until, renews, tries, ended_at }: Stretch, at: Date): boolean {
  const goesOn = ended_at === null && renews && tries === 0
  return started_at <= at && (at < paid_until || goesOn)
}

/** Tells of customers at business times whether their points are doubled. */
export async function doublingOf(
  db: Deps['db'],
  customerIds: readonly string[],
): Promise<(customerId: string, at: Date) => boolean> {
  const rows = await db
    .selectFrom('bank.premium')
    .select(['customer_id', 'started_at', 'paid_until', 'renews', 'tries', 'ended_at'])
    .where('customer_id', 'in', customerIds)
    .execute()
  const stretches = Map.groupBy(rows, (row) => row.customer_id)
  return (customerId, at) => (stretches.get(customerId) ?? []).some((stretch) => covers(stretch, at))
}
