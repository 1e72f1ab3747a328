import { lockCustomer } from '#server/identity/customers/lock.ts'
import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Booked, DayLimit, Operation } from '#server/ledger/types.ts'

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

/** What the customer may move that way in PERIOD_MS, US cents; null where there is no limit. */
function limitOf({ policy }: Pick<Deps, 'policy'>, { customer, direction }: Use): number | null {
  if (!policy.unverifiedLimits || customer.verified) return null
  return direction === 'in' ? policy.unverifiedLimits.inMinor : policy.unverifiedLimits.outMinor
}

/** Whether what the customer may move that way is limited until they are verified. */
export function hasAllowance(deps: Pick<Deps, 'policy'>, use: Use): boolean {
  return limitOf(deps, use) !== null
}

/**
 * Posts an operation that moves a customer's money in or out of the bank, within what they may move until they are
 * verified. Without a limit it is posted as ever, sharing its commit; with one, its part of the limit and the money
 * stand or fall together. Throws Refusal `limit_reached`, and what the ledger refuses.
 */
export async function postWithinAllowance(
  deps: Pick<Deps, 'policy' | 'ledger' | 'db'>,
  use: Use,
  operation: Operation,
): Promise<Booked> {
  if (limitOf(deps, use) === null) return deps.ledger.post(operation)
  return inTransaction(deps.db, (trx) => postWithinAllowanceIn(deps, trx, use, operation))
}

/** The same inside the caller's own SQL transaction, which has locked no account yet. */
export async function postWithinAllowanceIn(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  trx: Transaction<Database>,
  use: Use,
  operation: Operation,
): Promise<Booked> {
  const limit = limitOf(deps, use)
  // Held until the end: whatever else the customer moves at this moment is counted after this.
  if (limit !== null) await lockCustomer(trx, use.customer.id)
  const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
  if (limit !== null && !booked.replayed) await count(trx, use, operation, limit)
  return booked
}

async function count(
  trx: Transaction<Database>,
  { customer, direction, amountMinor }: Use,
  operation: Operation,
  limit: number,
): Promise<void> {
  const since = new Date(operation.bookedAt.getTime() - PERIOD_MS)
  const { used_minor: usedMinor } = await trx
    .selectFrom('bank.allowance_use')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount_minor'), sql.lit(0)).as('used_minor'))
    .where('customer_id', '=', customer.id)
    .where('direction', '=', direction)
    .where('used_at', '>', since)
    .executeTakeFirstOrThrow()
  if (usedMinor + amountMinor > limit) throw new Refusal('limit_reached', 'amountMinor')
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
