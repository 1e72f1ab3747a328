import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Booked, DayLimit } from '#server/ledger/types.ts'

/** What an unverified customer may move is counted over this long, in milliseconds of business time. */
const PERIOD_MS = 24 * 60 * 60 * 1000

/** Which way the money goes, seen from the customer. */
export type Direction = DayLimit['direction']

/** What a customer moves, US cents. */
export type Use = {
  customer: Pick<Customer, 'id' | 'verified' | 'currentAccountId'>
  direction: Direction
  amountMinor: number
}

/** What the customer may move that way in PERIOD_MS until they are verified, US cents; null where there is no such limit. */
export function allowanceOf({ policy }: Pick<Deps, 'policy'>, { customer, direction }: Use): number | null {
  if (!policy.unverifiedLimits || customer.verified) return null
  return direction === 'in' ? policy.unverifiedLimits.inMinor : policy.unverifiedLimits.outMinor
}

/** Counts what an operation moves. Throws Refusal `limit_reached` where that is more than `allowanceMinor` in PERIOD_MS. */
export async function countUse(
  trx: Transaction<Database>,
  { customer, direction, amountMinor }: Use,
  operation: Pick<Booked, 'id' | 'bookedAt'>,
  allowanceMinor: number,
): Promise<void> {
  const since = new Date(operation.bookedAt.getTime() - PERIOD_MS)
  const { used_minor: usedMinor } = await trx
    .selectFrom('bank.allowance_use')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount_minor'), sql.lit(0)).as('used_minor'))
    .where('customer_id', '=', customer.id)
    .where('direction', '=', direction)
    .where('used_at', '>', since)
    .executeTakeFirstOrThrow()
  if (usedMinor + amountMinor > allowanceMinor) throw new Refusal('limit_reached', 'amountMinor')
  await trx
    .with('past', (query) =>
      query
        .deleteFrom('bank.allowance_use')
        .where('customer_id', '=', customer.id)
        .where('direction', '=', direction)
        .where('used_at', '<=', since),
    )
    .insertInto('bank.allowance_use')
    .values({
      operation_id: operation.id,
      customer_id: customer.id,
      direction,
      amount_minor: amountMinor,
      used_at: operation.bookedAt,
    })
    .execute()
}

/** Gives back what an operation took of the limit, where its money has come back whole. */
export async function giveBackAllowance(
  deps: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  operationId: string,
): Promise<void> {
  if (!deps.policy.unverifiedLimits) return
  await trx.deleteFrom('bank.allowance_use').where('operation_id', '=', operationId).execute()
}
