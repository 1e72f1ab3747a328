import { z } from 'zod'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'

/** A provider's event. `id` is the operation's, as the bank gave it in its request. */
const told = {
  /** The provider's own name for this event. */
  eventId: z.string().min(1).max(200),
  id: z.uuid().toLowerCase(),
  amountMinor: z.int().positive(),
  asset: z.literal('USD'),
}

const collectionEvent = z.strictObject({
  type: z.enum(['collection.confirmed', 'collection.failed', 'collection.returned']),
  ...told,
})
export type CollectionEvent = z.infer<typeof collectionEvent>

const payoutEvent = z.strictObject({
  type: z.enum(['payout.settled', 'payout.failed', 'payout.returned']),
  ...told,
  /** Why it failed or came back. */
  reason: z.enum(RETURN_REASONS).default('other'),
})
export type PayoutEvent = z.infer<typeof payoutEvent>

export const railEvent = z.discriminatedUnion('type', [collectionEvent, payoutEvent])
export type RailEvent = z.infer<typeof railEvent>

export function isPayoutEvent(event: RailEvent): event is PayoutEvent {
  return event.type.startsWith('payout.')
}
