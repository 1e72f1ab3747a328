import { notifyAll } from '#server/notifications/service.ts'
import { type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/** Adds a notice about investing to the sample history. */
export const notificationsSampleHistory: SampleHistoryPart = async (deps, trx, { customer, dated }) => {
  const createdAt = dated(sampleTime(8, 27, 15, 20))
  const update = { kind: 'investment_update', params: { update: 'portfolios_open' } } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt, ...update }])
  return []
}
