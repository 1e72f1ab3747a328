import type { Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Asset } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { goalMoveOperation } from '#server/savings/service.ts'

const DOLLAR_MINOR = 1_00

/** What rounds an amount up to the next whole dollar so many times over; nothing where it is whole. US cents. */
export function roundUpOf(amountMinor: number, times: number): number {
  return ((DOLLAR_MINOR - (amountMinor % DOLLAR_MINOR)) % DOLLAR_MINOR) * times
}

type CardPayment = {
  customerId: string
  /** The operation that booked the payment; it is rounded up once. */
  operationId: string
  amountMinor: number
  asset: Asset
}

/**
 * Rounds a card payment up into the goal that its customer has chosen for that, a moment later. Belongs into the SQL
 * transaction that books the payment: it asks one question, and enqueues a job where the answer is yes. A refund takes
 * nothing back.
 */
export async function roundUpAfter(
  _deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, operationId, amountMinor, asset }: CardPayment,
): Promise<void> {
  if (asset !== 'USD' || roundUpOf(amountMinor, 1) === 0) return
  const goal = await trx
    .selectFrom('bank.goal')
    .select(['id', 'round_up_times'])
    .where('customer_id', '=', customerId)
    .where('round_up_times', 'is not', null)
    .executeTakeFirst()
  if (!goal?.round_up_times) return
  const roundUp = { operationId, goalId: goal.id, amountMinor: roundUpOf(amountMinor, goal.round_up_times) }
  await enqueue(trx, roundUpJob, roundUp, { key: `${roundUpJob.name}:${operationId}` })
}

/** Decisions of the ledger that end a round-up: it is no reason to try again later, when nobody expects it any more. */
const GIVEN_UP = new Set(['insufficient_funds', 'account_frozen', 'account_closed', 'balance_limit_reached'])

export const roundUpJob = defineJob({
  name: 'savings.round_up',
  payload: z.object({ operationId: z.uuid(), goalId: z.uuid(), amountMinor: z.int().positive() }),
  work: async (deps: Deps, { operationId, goalId, amountMinor }) => {
    const goal = await deps.db
      .selectFrom('bank.goal')
      .innerJoin('bank.customer', 'bank.customer.id', 'bank.goal.customer_id')
      .select(['account_id', 'name', 'current_account_id'])
      .where('bank.goal.id', '=', goalId)
      .executeTakeFirst()
    if (!goal) return
    const operation = goalMoveOperation({
      ...derived('savings', operationId, 'round_up'),
      fingerprint: fingerprintOf('savings.round_up', operationId),
      current: goal.current_account_id,
      goal: { accountId: goal.account_id, name: goal.name },
      label: 'savings.round_up',
      amountMinor,
      bookedAt: deps.clock.businessNow(),
    })
    try {
      await deps.ledger.post(operation)
    } catch (error) {
      if (!(error instanceof Refusal && GIVEN_UP.has(error.code))) throw error
    }
  },
})
