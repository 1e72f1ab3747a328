import type { Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Asset } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueued } from '#server/platform/jobs/queue.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { goalMoveOperation } from '#server/savings/service.ts'

const DOLLAR_MINOR = 1_00

/**
 * Returns the round-up of an amount, in US cents: the difference to the next whole dollar, multiplied by `times`. It is zero
 * for whole dollars.
 */
export function roundUpOf(amountMinor: number, times: number): number {
  return ((DOLLAR_MINOR - (amountMinor % DOLLAR_MINOR)) % DOLLAR_MINOR) * times
}

type CardPayment = {
  /** The id of the operation that booked the payment. Each operation is rounded up once. */
  operationId: string
  amountMinor: number
  asset: Asset
}

/** A customer's setting for round-ups. `goalId`: the goal that collects them. `times`: their multiplier. */
export type RoundUps = { goalId: string; times: number }

/** Returns the goals that collect the round-ups of customers' card payments, by customer. */
export async function roundUpsOf(
  trx: Transaction<Database>,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, RoundUps>> {
  if (customerIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('bank.goal')
    .select(['customer_id', 'id', 'round_up_times'])
    .where('customer_id', 'in', customerIds)
    .where('round_up_times', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.customer_id, { goalId: row.id, times: row.round_up_times ?? 0 }]))
}

/**
 * Returns the SQL statement that enqueues the round-up of a card payment for the time after the payment's transaction commits.
 * Returns no statement if the round-up is zero. A refund does not reverse the round-up.
 */
export function enqueueRoundUp(
  { goalId, times }: RoundUps,
  { operationId, amountMinor, asset }: CardPayment,
): SqlStatement[] {
  const upMinor = asset === 'USD' ? roundUpOf(amountMinor, times) : 0
  if (upMinor === 0) return []
  const key = `${roundUpJob.name}:${operationId}`
  return [enqueued(roundUpJob, { operationId, goalId, amountMinor: upMinor }, { key })]
}

/** The ledger's refusals after which a round-up is not tried again. A later try would surprise the customer. */
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
      ...derivedIdentity('savings', operationId, 'round_up'),
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
