import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import {
  type Direction,
  hasAllowance,
  postWithinAllowance,
  postWithinAllowanceIn,
  type Use,
} from '#server/limits/allowance.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import type { AccountId, Booked, Operation } from '#server/ledger/types.ts'

/** Who moves money which way, US cents. `countedOn`: the customer's account that counts what they move in a day. */
type Movement = { direction: Direction; amountMinor: number; countedOn: AccountId }

/**
 * The operation, its first leg within what the policy lets anybody move at once and in a day (docs/decisions/0070):
 * the ledger refuses it with `day_limit_reached` where it is more than the day's. Throws Refusal `amount_too_large`.
 */
export function limited(
  { policy }: Pick<Deps, 'policy'>,
  { direction, amountMinor, countedOn }: Movement,
  operation: Operation,
): Operation {
  const { operationMinor, dayMinor } = policy.limits[direction]
  if (amountMinor > operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const [first, ...others] = operation.legs
  if (first?.kind !== 'transfer' && first?.kind !== 'hold') throw new TypeError('Only what is new counts to a limit')
  return {
    ...operation,
    legs: [{ ...first, dayLimit: { accountId: countedOn, direction, mostMinor: dayMinor } }, ...others],
  }
}

/**
 * Posts an operation by which a customer moves their money in or out, within the limits for anybody and, until they are
 * verified, within those instead that hold for them. Throws Refusal `amount_too_large`, `day_limit_reached`,
 * `limit_reached`, and what the ledger refuses.
 */
export async function postWithinLimits(
  deps: Pick<Deps, 'policy' | 'ledger' | 'db'>,
  use: Use,
  operation: Operation,
): Promise<Booked> {
  return postWithinAllowance(deps, use, limitedFor(deps, use, operation))
}

/**
 * The same in a SQL transaction with what belongs to it: `more` is done once the operation is booked, and not where it
 * had been booked before; where it throws, nothing has happened.
 */
export async function transactWithinLimits(
  deps: Pick<Deps, 'policy' | 'ledger' | 'db'>,
  use: Use,
  operation: Operation,
  more: (trx: Transaction<Database>) => Promise<void>,
): Promise<Booked> {
  // Before there is a transaction: what is refused here is refused as `postWithinLimits` does.
  const within = limitedFor(deps, use, operation)
  return inTransaction(deps.db, async (trx) => {
    const booked = await postWithinAllowanceIn(deps, trx, use, within)
    if (!booked.replayed) await more(trx)
    return booked
  })
}

/**
 * Refuses an operation just as `postWithinLimits` does, which takes as long; where it is not refused, nothing has happened.
 * Of customers with limits of their own, every operation has a transaction of its own, and nothing is tried before.
 */
export async function tryWithinLimits(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  use: Use,
  operation: Operation,
): Promise<void> {
  if (!hasAllowance(deps, use)) await deps.ledger.tryOut(limitedFor(deps, use, operation))
}

/** As `postWithinLimits`, in the caller's own SQL transaction, which has locked no account yet. */
export async function postWithinLimitsIn(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  trx: Transaction<Database>,
  use: Use,
  operation: Operation,
): Promise<Booked> {
  return postWithinAllowanceIn(deps, trx, use, limitedFor(deps, use, operation))
}

/** The same for a customer; until they are verified their own lower limits hold instead. */
function limitedFor(deps: Pick<Deps, 'policy'>, use: Use, operation: Operation): Operation {
  if (hasAllowance(deps, use)) return operation
  const { customer, direction, amountMinor } = use
  return limited(deps, { direction, amountMinor, countedOn: customer.currentAccountId }, operation)
}

/**
 * Refuses to bring more money to an account than it may hold, what is on its way to it included. Called after the
 * posting, in its SQL transaction, which has locked the account. Throws Refusal `balance_limit_reached`.
 */
export async function checkBalanceLimit(
  { policy }: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  accountId: AccountId,
): Promise<void> {
  const [account] = await accountsById(runIn(trx), [accountId])
  const balanceMinor = (account?.balanceMinor ?? 0) + (account?.incomingMinor ?? 0)
  if (balanceMinor > policy.limits.balanceMinor) throw new Refusal('balance_limit_reached', 'amountMinor')
}
