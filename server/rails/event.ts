import { z } from 'zod'

/** A provider's event about a collection. `id` is the operation's, as the bank gave it in its request. */
export const railEvent = z.strictObject({
  /** The provider's own name for this event. */
  eventId: z.string().min(1).max(200),
  type: z.enum(['collection.confirmed', 'collection.failed', 'collection.returned']),
  id: z.uuid().toLowerCase(),
  amountMinor: z.int().positive(),
  asset: z.literal('USD'),
})
export type RailEvent = z.infer<typeof railEvent>
