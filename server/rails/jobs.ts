import { MAX_PAYER_NAME } from '#contract/incoming-transfers.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { askProvider, overdueCollections, settleTopUp } from '#server/rails/collections.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { unsealDetails } from '#server/rails/bank-details.ts'
import { endOverdueCollection, giveUpCollection, settleCollection } from '#server/rails/collection-outcomes.ts'
import { refusePayout, settleByItself } from '#server/rails/payout-outcomes.ts'
import { askPayout, overduePayouts, type PayoutRow, settlePayout } from '#server/rails/payouts.ts'
import { requestCollection, requestPayout } from '#server/rails/provider.ts'

/** Sends a provider the request for a collection. If the provider does not answer, the job throws and is tried again later. */
export const askProviderJob = defineJob({
  ...askProvider,
  leaves: 'rails',
  work: async (deps: Deps, { operationId }: { operationId: string }) => {
    const row = await deps.db
      .selectFrom('bank.collection')
      .selectAll()
      .where('operation_id', '=', operationId)
      .executeTakeFirst()
    if (row?.status !== 'pending') return
    const { customer_id: customerId, method, amount_minor: amountMinor, asset, source } = row
    const from = source ? { from: unsealDetails(deps.config, operationId, source) } : {}
    const response = await requestCollection(deps, { id: operationId, customerId, method, amountMinor, asset, ...from })
    if (response === 'refused') await giveUpCollection(deps, operationId, 'failed')
  },
})

export const settleTopUpJob = defineJob({
  ...settleTopUp,
  work: (deps: Deps, { operationId }: { operationId: string }) => settleCollection(deps, operationId),
})

export const overdueTopUpsJob = defineSweep({
  name: 'rails.end_overdue_top_ups',
  everyMinutes: 5,
  find: overdueCollections,
  work: endOverdueCollection,
  failed: 'an overdue top-up could not be ended',
})

/**
 * Sends a provider the request for a payout. If the provider does not answer, the job throws and is tried again later. A final
 * refusal ends the payout. After any other error the payout stays pending, because the provider may have paid.
 */
export const askPayoutJob = defineJob({
  ...askPayout,
  leaves: 'rails',
  work: async (deps: Deps, { operationId }: { operationId: string }) => {
    const row = await deps.db
      .selectFrom('bank.payout')
      .selectAll()
      .where('operation_id', '=', operationId)
      .executeTakeFirst()
    if (row?.status !== 'pending' || !row.destination) return
    const { customer_id: customerId, amount_minor: amountMinor, asset } = row
    const destination = unsealDetails(deps.config, operationId, row.destination)
    const payerName = await payerOf(deps, row)
    const response = await requestPayout(deps, {
      id: operationId,
      customerId,
      payerName,
      amountMinor,
      asset,
      to: destination,
    })
    if (response === 'refused') await refusePayout(deps, operationId)
  },
})

/**
 * Returns the payer's name for the payee's bank. The bank itself pays the deposits that verify an account, so their payer is
 * Alder.
 */
async function payerOf(deps: Pick<Deps, 'pool'>, { customer_id: id, purpose }: PayoutRow): Promise<string> {
  const customer = purpose === 'withdrawal' ? (await findCustomers(deps, [id])).get(id) : undefined
  // The maximum length may cut a character of two code units in half. The remaining half is removed.
  return (customer?.fullName ?? 'Alder').slice(0, MAX_PAYER_NAME).replace(/[\uD800-\uDBFF]$/, '')
}

export const settlePayoutJob = defineJob({
  ...settlePayout,
  work: (deps: Deps, { operationId }: { operationId: string }) => settleByItself(deps, operationId),
})

export const overduePayoutsJob = defineSweep({
  name: 'rails.settle_overdue_payouts',
  everyMinutes: 5,
  find: overduePayouts,
  work: (deps, { id }) => settleByItself(deps, id),
  failed: 'an overdue payout could not be settled',
})
