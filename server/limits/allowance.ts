import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run } from '#server/platform/db/run.ts'
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
  return inTransaction(deps.db, (_trx, run) => postWithinAllowanceIn(deps, run, use, operation))
}

/** The same inside the caller's own SQL transaction, which has locked no account yet. */
export async function postWithinAllowanceIn(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  run: Run,
  use: Use,
  operation: Operation,
): Promise<Booked> {
  const limit = limitOf(deps, use)
  // Held until the end: whatever else the customer moves at this moment is counted after this.
  if (limit !== null) await run('SELECT 1 FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [use.customer.id])
  const [booked] = await deps.ledger.postWithin(run, [operation])
  if (!booked) throw new Error('The ledger gave no answer')
  if (limit !== null && !booked.replayed) await count(run, use, operation, limit)
  return booked
}

async function count(run: Run, { customer, direction, amountMinor }: Use, operation: Operation, limit: number) {
  const since = new Date(operation.bookedAt.getTime() - PERIOD_MS)
  const { rows } = await run(
    `SELECT coalesce(sum(amount_minor), 0) AS used_minor FROM bank.allowance_use
      WHERE customer_id = $1 AND direction = $2 AND used_at > $3`,
    [customer.id, direction, since],
  )
  if ((rows[0]?.['used_minor'] as number) + amountMinor > limit) throw new Refusal('limit_reached', 'amountMinor')
  await run(
    `WITH past AS (DELETE FROM bank.allowance_use WHERE customer_id = $2 AND direction = $3 AND used_at <= $6)
     INSERT INTO bank.allowance_use (operation_id, customer_id, direction, amount_minor, used_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [operation.id, customer.id, direction, amountMinor, operation.bookedAt, since],
  )
}

/** Gives back what an operation took of the limit, where its money has come back whole. */
export async function giveBackAllowance(deps: Pick<Deps, 'policy'>, run: Run, operationId: string): Promise<void> {
  if (!deps.policy.unverifiedLimits) return
  await run('DELETE FROM bank.allowance_use WHERE operation_id = $1', [operationId])
}
