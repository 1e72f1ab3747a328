import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import {
  unverifiedLimitOf,
  countLimitUse,
  type MoneyDirection,
  type LimitUse,
} from '#server/limits/unverified-limits.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import {
  type AccountId,
  type BookedOperation,
  type Operation,
  POSTING_REFUSALS,
  type WithRows,
} from '#server/ledger/types.ts'

/** The refusals because of limits, which a payment may receive in addition to `POSTING_REFUSALS`. */
export const LIMIT_REFUSALS = ['amount_too_large', 'limit_reached', 'day_limit_reached'] as const
export const PAYMENT_REFUSALS = [...LIMIT_REFUSALS, ...POSTING_REFUSALS] as const

type Trx = Transaction<Database>

/** A movement of a customer's money in US cents. `countedOn` is the customer's account that has the daily counters. */
type Movement = { direction: MoneyDirection; amountMinor: number; countedOn: AccountId }

/**
 * Returns the operation with the policy's daily limit on its first leg (docs/decisions/0070). The ledger refuses an operation
 * above the daily limit with `day_limit_reached`. Throws Refusal `amount_too_large` if the amount is above the policy's limit
 * for one operation.
 */
export function withLimits(
  { policy }: Pick<Deps, 'policy'>,
  { direction, amountMinor, countedOn }: Movement,
  operation: Operation,
): Operation {
  const { operationMinor, dayMinor } = policy.limits[direction]
  if (amountMinor > operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const [firstLeg, ...otherLegs] = operation.legs
  if (firstLeg?.kind !== 'transfer' && firstLeg?.kind !== 'hold')
    throw new TypeError('Only a new operation counts to a limit')
  return {
    ...operation,
    legs: [{ ...firstLeg, dayLimit: { accountId: countedOn, direction, mostMinor: dayMinor } }, ...otherLegs],
  }
}

type With = Pick<WithRows, 'also'> & {
  /**
   * The caller's own SQL transaction, which must not have locked any account yet. Without it, concurrent requests share one
   * transaction.
   */
  trx?: Trx
}

/**
 * Posts an operation by which a customer moves money in or out, within the general limits. For an unverified customer, the
 * lower limits apply instead. `operation` and `also` are as in `Ledger.postWithRows`. Throws Refusal `amount_too_large`,
 * `day_limit_reached`, `limit_reached`, and the ledger's refusals.
 */
export async function postLimited(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  use: LimitUse,
  operation: WithRows['operation'],
  { trx, also }: With = {},
): Promise<BookedOperation> {
  const allowanceMinor = unverifiedLimitOf(deps, use)
  const withinLimits = (made: Operation) => (allowanceMinor === null ? limitedFor(deps, use, made) : made)
  const isMade = typeof operation !== 'function'
  // An operation without other changes of rows shares its commit with all other payments.
  if (!trx && !also && allowanceMinor === null && isMade) return deps.ledger.post(withinLimits(operation))
  const make = async (operationTrx: Trx): Promise<Operation> => {
    // The customer's lock is held until the transaction ends, so that concurrent movements of the customer are counted one
    // after the other.
    if (allowanceMinor !== null) await lockCustomer(operationTrx, use.customer.id)
    return withinLimits(isMade ? operation : await operation(operationTrx))
  }
  const finish = async (operationTrx: Trx, booked: BookedOperation): Promise<void> => {
    if (allowanceMinor !== null) await countLimitUse(operationTrx, use, booked, allowanceMinor)
    await also?.(operationTrx, booked)
  }
  const { id: customerId } = use.customer
  if (!trx) return deps.ledger.postWithRows({ customerId, operation: make, also: finish })
  const [booked] = await deps.ledger.postWithin(runIn(trx), [await make(trx)])
  if (!booked.replayed) await finish(trx, booked)
  return booked
}

/**
 * Refuses an operation exactly as `postLimited` does, in the same time. If the operation is not refused, nothing changes. For a
 * customer with the lower limits of unverified customers, it does nothing: each operation of such a customer has its own SQL
 * transaction anyway.
 */
export async function tryLimited(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  use: LimitUse,
  operation: Operation,
): Promise<void> {
  if (unverifiedLimitOf(deps, use) === null) await deps.ledger.tryOut(limitedFor(deps, use, operation))
}

const limitedFor = (deps: Pick<Deps, 'policy'>, { customer, ...movement }: LimitUse, operation: Operation): Operation =>
  withLimits(deps, { ...movement, countedOn: customer.currentAccountId }, operation)

/**
 * Throws Refusal `balance_limit_reached` if an account's balance and incoming money exceed the policy's limit. It must run
 * after the posting, in the same SQL transaction, which has locked the account.
 */
export async function checkBalanceLimit(
  { policy }: Pick<Deps, 'policy'>,
  trx: Trx,
  accountId: AccountId,
): Promise<void> {
  const [account] = await accountsById(runIn(trx), [accountId])
  const balanceMinor = (account?.balanceMinor ?? 0) + (account?.incomingMinor ?? 0)
  if (balanceMinor > policy.limits.balanceMinor) throw new Refusal('balance_limit_reached', 'amountMinor')
}
