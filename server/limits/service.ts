import { setTimeout as wait } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { hasAllowance, postWithinAllowance, postWithinAllowanceIn, type Use } from '#server/limits/allowance.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import type { AccountId, Booked, Operation } from '#server/ledger/types.ts'
import type { Direction } from '#server/limits/day-use.ts'

type LimitDeps = Pick<Deps, 'policy' | 'ledger' | 'dayUse' | 'log'>

/** What moves, seen from the customer: US cents. */
type Movement = { customerId: string; direction: Direction; amountMinor: number }

/**
 * Posts an operation by `post`, within what the policy lets anybody move at once and in a day (docs/decisions/0070). The
 * day's share is taken before the money moves, so that requests at the same moment cannot both have the rest of it.
 * Throws Refusal `amount_too_large`, `day_limit_reached`, and what `post` refuses.
 */
export async function withinLimits(
  deps: LimitDeps,
  { customerId, direction, amountMinor }: Movement,
  operation: Operation,
  post: () => Promise<Booked>,
): Promise<Booked> {
  if (amountMinor > deps.policy.limits[direction].operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const day = operation.bookedAt.toISOString().slice(0, 10)
  const share = { operationId: operation.id, customerId, direction, day, amountMinor }
  const taken = await deps.dayUse.take(share)
  if (taken === 'under_way') return awaitTwin(deps, operation)
  if (taken === 'refused') throw new Refusal('day_limit_reached', 'amountMinor')
  let isMoved = false
  try {
    const booked = await post()
    isMoved = !booked.replayed
    return booked
  } finally {
    if (!isMoved) {
      // Where the database is away, the customer has this much less of today's limit.
      await deps.dayUse.giveBack(share).catch((error: unknown) => deps.log.warn({ err: error }, 'limit not given back'))
    }
  }
}

const TWIN_MS = 50
const TWIN_TRIES = 40

/**
 * What the same request, sent twice, was answered the other time, which has the rest of the day's limit and is being
 * posted. Throws Refusal `unavailable` where that takes long: asking again is safe.
 */
async function awaitTwin({ ledger }: LimitDeps, { id, fingerprint }: Operation): Promise<Booked> {
  for (let attempt = 1; attempt <= TWIN_TRIES; attempt += 1) {
    const booked = await ledger.find(id, fingerprint)
    if (booked) return booked
    await wait(TWIN_MS)
  }
  throw new Refusal('unavailable')
}

/**
 * Posts an operation by which a customer moves their money in or out, within the limits for anybody and, until they are
 * verified, within those instead that hold for them. Throws Refusal `amount_too_large`, `day_limit_reached`,
 * `limit_reached`, and what the ledger refuses.
 */
export function postWithinLimits(deps: LimitDeps & Pick<Deps, 'db'>, use: Use, operation: Operation): Promise<Booked> {
  const post = () => postWithinAllowance(deps, use, operation)
  return hasAllowance(deps, use) ? post() : withinLimits(deps, movementOf(use), operation, post)
}

/**
 * The same in a SQL transaction with what belongs to it: `more` is done once the operation is booked, and not where it
 * had been booked before; where it throws, nothing has happened.
 */
export function transactWithinLimits(
  deps: LimitDeps & Pick<Deps, 'db'>,
  use: Use,
  operation: Operation,
  more: (trx: Transaction<Database>, run: Run) => Promise<void>,
): Promise<Booked> {
  const post = () =>
    inTransaction(deps.db, async (trx, run) => {
      const booked = await postWithinAllowanceIn(deps, run, use, operation)
      if (!booked.replayed) await more(trx, run)
      return booked
    })
  return hasAllowance(deps, use) ? post() : withinLimits(deps, movementOf(use), operation, post)
}

function movementOf({ customer, direction, amountMinor }: Use): Movement {
  return { customerId: customer.id, direction, amountMinor }
}

/**
 * Refuses to bring more money to an account than it may hold, what is on its way to it included. Called after the
 * posting, in its SQL transaction, which has locked the account. Throws Refusal `balance_limit_reached`.
 */
export async function checkBalanceLimit({ policy }: Pick<Deps, 'policy'>, run: Run, accountId: AccountId) {
  const [account] = await accountsById(run, [accountId])
  const balanceMinor = (account?.balanceMinor ?? 0) + (account?.incomingMinor ?? 0)
  if (balanceMinor > policy.limits.balanceMinor) throw new Refusal('balance_limit_reached', 'amountMinor')
}
