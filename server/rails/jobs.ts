import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { Tasks } from '#server/platform/jobs.ts'
import { ASK_PROVIDER, SETTLE } from '#server/rails/collections.ts'
import { giveUp, settle } from '#server/rails/outcomes.ts'
import { askProvider } from '#server/rails/provider.ts'

const collection = z.object({ operationId: z.uuid() })

const settleJob = (deps: Deps, payload: unknown) => settle(deps, collection.parse(payload).operationId)

/** Asks the provider to collect; where it does not answer, the job throws and is tried again later. */
async function ask(deps: Deps, payload: unknown): Promise<void> {
  const { operationId } = collection.parse(payload)
  const row = await deps.db
    .selectFrom('bank.collection')
    .selectAll()
    .where('operation_id', '=', operationId)
    .executeTakeFirst()
  if (row?.status !== 'pending') return
  const { customer_id: customerId, method, amount_minor: amountMinor, asset } = row
  const answer = await askProvider(deps, { id: operationId, customerId, method, amountMinor, asset })
  if (answer === 'refused') await giveUp(deps, operationId, 'failed')
}

export const tasks = {
  [ASK_PROVIDER]: ask,
  [SETTLE]: settleJob,
  // What SETTLE was called before there were rails: such jobs wait in databases from then.
  'accounts.settle_top_up': settleJob,
} satisfies Tasks
