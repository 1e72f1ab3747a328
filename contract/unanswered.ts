import { z } from 'zod'
import { CHANGEABLE_DECLINES } from '#contract/after-decline.ts'
import { amountMinor, asset } from '#contract/common.ts'

/** Something that waits for the customer. */
export const unanswered = z.discriminatedUnion('kind', [
  /** A card payment at the shop `name` that was declined for what is so still and can be changed. */
  z.object({
    kind: z.literal('declined'),
    id: z.string(),
    cardId: z.string(),
    name: z.string(),
    amountMinor,
    asset,
    reason: z.enum(CHANGEABLE_DECLINES),
  }),
  /** Somebody whom the customer knows asks for money; `amountMinor`: what is left to pay. */
  z.object({
    kind: z.literal('request'),
    id: z.string(),
    name: z.string(),
    amountMinor,
    asset,
    note: z.string().nullable(),
  }),
  /** A biller asks for the right to collect. */
  z.object({ kind: z.literal('mandate'), id: z.string(), name: z.string() }),
  /** The bank asks for identity documents; `again`: those that it has are not enough. */
  z.object({ kind: z.literal('identity'), id: z.string(), again: z.boolean() }),
])
export type Unanswered = z.infer<typeof unanswered>

/** In which order they stand: the customer may be at the till with the first. */
export const UNANSWERED_ORDER: readonly Unanswered['kind'][] = ['declined', 'request', 'mandate', 'identity']
