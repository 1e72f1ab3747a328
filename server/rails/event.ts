import { z } from 'zod'
import { amountMinor } from '#contract/common.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import type { Deps } from '#server/platform/deps.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'

/** What each of a provider's events says. */
export const eventFields = {
  /** The provider's own name for this event: visible ASCII. */
  eventId: z.string().regex(/^[!-~]{1,200}$/),
  /** Of what it tells about. */
  id: z.uuid().toLowerCase(),
}

export type RailEvent = { type: string; eventId: string; id: string }

/** Some of the events that a provider may tell, and what is done then. */
export type RailEvents = {
  types: readonly string[]
  /** Throws a Refusal that names the field for what is no such event, and what the slice refuses. */
  apply(deps: Deps, event: unknown): Promise<void>
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    railEvents?: readonly RailEvents[]
  }
}

/** Does what an event says once it is known to be one of `schema`'s. */
export function railEvents<const Type extends string, Event extends { type: Type }>(
  types: readonly Type[],
  schema: z.ZodType<Event>,
  apply: (deps: Deps, event: Event) => Promise<void>,
): RailEvents {
  return {
    types,
    apply: (deps, told) => {
      const event = schema.safeParse(told)
      if (!event.success) throw refusalOfInvalid(told, event.error)
      return apply(deps, event.data)
    },
  }
}

/** `id` is the operation's, as the bank gave it in its request. */
const moneyFields = { ...eventFields, amountMinor: z.int().positive(), asset: z.literal('USD') }

export const COLLECTION_EVENTS = ['collection.confirmed', 'collection.failed', 'collection.returned'] as const
export const collectionEvent = z.strictObject({ type: z.enum(COLLECTION_EVENTS), ...moneyFields })
export type CollectionEvent = z.infer<typeof collectionEvent>

export const PAYOUT_EVENTS = ['payout.settled', 'payout.failed', 'payout.returned'] as const
export const payoutEvent = z.strictObject({
  type: z.enum(PAYOUT_EVENTS),
  ...moneyFields,
  /** Why it failed or came back. */
  reason: z.enum(RETURN_REASONS).default('other'),
})
export type PayoutEvent = z.infer<typeof payoutEvent>

export const SETTLEMENT_EVENTS = ['settlement.paid', 'settlement.received'] as const
/** `id` is the provider's own for the settlement. */
export const settlementEvent = z.strictObject({ type: z.enum(SETTLEMENT_EVENTS), ...moneyFields, amountMinor })
export type SettlementEvent = z.infer<typeof settlementEvent>
