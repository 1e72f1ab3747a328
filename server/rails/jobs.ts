import { askProvider, settleTopUp } from '#server/rails/collections.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import { giveUp, settle, sweepOverdueTopUps } from '#server/rails/outcomes.ts'
import { requestCollection } from '#server/rails/provider.ts'

/** Where the provider does not answer, the job throws and is tried again later. */
export const askProviderJob = defineJob({
  ...askProvider,
  work: async (deps: Deps, { operationId }: { operationId: string }) => {
    const row = await deps.db
      .selectFrom('bank.collection')
      .selectAll()
      .where('operation_id', '=', operationId)
      .executeTakeFirst()
    if (row?.status !== 'pending') return
    const { customer_id: customerId, method, amount_minor: amountMinor, asset } = row
    const response = await requestCollection(deps, { id: operationId, customerId, method, amountMinor, asset })
    if (response === 'refused') await giveUp(deps, operationId, 'failed')
  },
})

export const settleTopUpJob = defineJob({
  ...settleTopUp,
  work: (deps: Deps, { operationId }: { operationId: string }) => settle(deps, operationId),
})

export const overdueTopUpsJob = defineRecurringJob({
  name: 'rails.end_overdue_top_ups',
  everyMinutes: 5,
  work: async (deps) => void (await sweepOverdueTopUps(deps)),
})
