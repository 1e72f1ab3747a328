import { z } from 'zod'
import { CHANGEABLE_DECLINES } from '#contract/path-after-decline.ts'
import { amountMinor, asset } from '#contract/common.ts'

/** An item that needs an action of the customer. */
export const unanswered = z.discriminatedUnion('kind', [
  /**
   * A declined card payment at the shop `name`. The cause of the decline still exists, and the customer can remove the cause.
   */
  z.object({
    kind: z.literal('declined'),
    id: z.string(),
    cardId: z.string(),
    name: z.string(),
    amountMinor,
    asset,
    reason: z.enum(CHANGEABLE_DECLINES),
  }),
  /** A payment request from a person with whom the customer had contact before. `amountMinor` is the unpaid amount. */
  z.object({
    kind: z.literal('request'),
    id: z.string(),
    name: z.string(),
    amountMinor,
    asset,
    note: z.string().nullable(),
  }),
  /** A biller's request for a mandate. */
  z.object({ kind: z.literal('mandate'), id: z.string(), name: z.string() }),
  /** The bank's request for identity documents. `again` is true if the earlier documents were not sufficient. */
  z.object({ kind: z.literal('identity'), id: z.string(), again: z.boolean() }),
])
export type Unanswered = z.infer<typeof unanswered>

/** The order of the items. A declined payment is first, because the customer may be waiting at a checkout. */
export const UNANSWERED_ORDER: readonly Unanswered['kind'][] = ['declined', 'request', 'mandate', 'identity']
