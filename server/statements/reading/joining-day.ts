import { dayOf } from '#server/calendar/zone.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns the business day on which a customer joined. */
export async function readJoiningDay({ db }: Pick<Deps, 'db'>, customerId: string): Promise<string> {
  const { created_at: joinedAt } = await db
    .selectFrom('bank.customer')
    .select('created_at')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return dayOf(joinedAt)
}
