import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { allowanceOf, countUse, type Direction, type Use } from '#server/limits/allowance.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { type AccountId, type Booked, type Operation, POSTING_REFUSALS, type WithRows } from '#server/ledger/types.ts'

/** What the limits refuse, beside what the ledger does. */
export const LIMIT_REFUSALS = ['amount_too_large', 'limit_reached', 'day_limit_reached'] as const
export const PAYMENT_REFUSALS = [...LIMIT_REFUSALS, ...POSTING_REFUSALS] as const

type Trx = Transaction<Database>

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

type With = Pick<WithRows, 'also'> & {
  /** The caller's own SQL transaction, which has locked no account yet; one that is shared with others unless told. */
  trx?: Trx
}

/**
 * Posts an operation by which a customer moves their money in or out, within the limits for anybody and, until they are
 * verified, within those instead that hold for them. `operation` and `also` are as in `Ledger.postWithRows`. Throws Refusal `amount_too_large`, `day_limit_reached`,
 * `limit_reached`, and what the ledger refuses.
 */
export async function postLimited(
  deps: Pick<Deps, 'policy' | 'ledger'>,
  use: Use,
  operation: WithRows['operation'],
  { trx, also }: With = {},
): Promise<Booked> {
  const allowanceMinor = allowanceOf(deps, use)
  const within = (made: Operation) => (allowanceMinor === null ? limitedFor(deps, use, made) : made)
  const isMade = typeof operation !== 'function'
  // With nothing that stands or falls with it, it shares its commit with all other payments.
  if (!trx && !also && allowanceMinor === null && isMade) return deps.ledger.post(within(operation))
  const make = async (own: Trx): Promise<Operation> => {
    // Held until the end: whatever else the customer moves at this moment is counted after this.
    if (allowanceMinor !== null) await lockCustomer(own, use.customer.id)
    return within(isMade ? operation : await operation(own))
  }
  const finish = async (own: Trx, booked: Booked): Promise<void> => {
    if (allowanceMinor !== null) await countUse(own, use, booked, allowanceMinor)
    await also?.(own, booked)
  }
  const { id: customerId } = use.customer
  if (!trx) return deps.ledger.postWithRows({ customerId, operation: make, also: finish })
  const [booked] = await deps.ledger.postWithin(runIn(trx), [await make(trx)])
  if (!booked.replayed) await finish(trx, booked)
  return booked
}

/**
 * Refuses an operation just as `postLimited` does, which takes as long; where it is not refused, nothing has happened.
 * Of customers with limits of their own, every operation has a transaction of its own, and nothing is tried before.
 */
export async function tryLimited(deps: Pick<Deps, 'policy' | 'ledger'>, use: Use, operation: Operation): Promise<void> {
  if (allowanceOf(deps, use) === null) await deps.ledger.tryOut(limitedFor(deps, use, operation))
}

const limitedFor = (deps: Pick<Deps, 'policy'>, { customer, ...movement }: Use, operation: Operation): Operation =>
  limited(deps, { ...movement, countedOn: customer.currentAccountId }, operation)

/**
 * Refuses to bring more money to an account than it may hold, what is on its way to it included. Called after the
 * posting, in its SQL transaction, which has locked the account. Throws Refusal `balance_limit_reached`.
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
