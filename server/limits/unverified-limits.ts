import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { BookedOperation, DayLimit } from '#server/ledger/types.ts'

/** The period over which an unverified customer's movements are counted, in milliseconds of business time. */
const PERIOD_MS = 24 * 60 * 60 * 1000

/** The direction of the money from the customer's view. */
export type MoneyDirection = DayLimit['direction']

/** A customer's movement in US cents. */
export type LimitUse = {
  customer: Pick<Customer, 'id' | 'verified' | 'currentAccountId'>
  direction: MoneyDirection
  amountMinor: number
}

/**
 * Returns the highest amount that an unverified customer may move in that direction within PERIOD_MS, in US cents; null if
 * there is no such limit.
 */
export function unverifiedLimitOf({ policy }: Pick<Deps, 'policy'>, { customer, direction }: LimitUse): number | null {
  if (!policy.unverifiedLimits || customer.verified) return null
  return direction === 'in' ? policy.unverifiedLimits.inMinor : policy.unverifiedLimits.outMinor
}

/** Counts an operation's amount. Throws Refusal `limit_reached` if the sum exceeds `allowanceMinor` within PERIOD_MS. */
export async function countLimitUse(
  trx: Transaction<Database>,
  { customer, direction, amountMinor }: LimitUse,
  operation: Pick<BookedOperation, 'id' | 'bookedAt'>,
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

/** Removes an operation from the count of an unverified customer's movements after all its money has come back. */
export async function giveBackLimitUse(
  deps: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  operationId: string,
): Promise<void> {
  if (!deps.policy.unverifiedLimits) return
  await trx.deleteFrom('bank.allowance_use').where('operation_id', '=', operationId).execute()
}
