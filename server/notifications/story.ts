import { notifyAll } from '#server/notifications/service.ts'
import { type StoryPart, storyTime } from '#server/story/part.ts'

/** News of what there is to invest in. */
export const notificationsStory: StoryPart = async (deps, trx, { customer, dated }) => {
  const createdAt = dated(storyTime(8, 27, 15, 20))
  const update = { kind: 'investment_update', params: { update: 'portfolios_open' } } as const
  await notifyAll(deps, trx, [{ customerId: customer.id, createdAt, ...update }])
  return []
}
