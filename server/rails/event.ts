import { z } from 'zod'
import { amountMinor } from '#contract/common.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import type { Deps } from '#server/platform/deps.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'

/** The fields of every provider event. */
export const eventFields = {
  /** The provider's id of this event: visible ASCII. */
  eventId: z.string().regex(/^[!-~]{1,200}$/),
  /** The id of the payment or settlement that the event is about. */
  id: z.uuid().toLowerCase(),
}

export type RailEvent = { type: string; eventId: string; id: string }

/** A group of a provider's events, with the function that applies them. */
export type RailEvents = {
  types: readonly string[]
  /** Applies an event. Throws a Refusal that names the invalid field, and the slice's refusals. */
  apply(deps: Deps, event: unknown): Promise<void>
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    railEvents?: readonly RailEvents[]
  }
}

/** Makes a group of events that are checked with `schema` before they are applied. */
export function railEvents<const Type extends string, Event extends { type: Type }>(
  types: readonly Type[],
  schema: z.ZodType<Event>,
  apply: (deps: Deps, event: Event) => Promise<void>,
): RailEvents {
  return {
    types,
    apply: (deps, body) => {
      const event = schema.safeParse(body)
      if (!event.success) throw refusalOfInvalid(body, event.error)
      return apply(deps, event.data)
    },
  }
}

/** The fields of events about collections and payouts. `id` is the operation's id from the bank's request. */
const moneyFields = { ...eventFields, amountMinor: z.int().positive(), asset: z.literal('USD') }

export const COLLECTION_EVENTS = ['collection.confirmed', 'collection.failed', 'collection.returned'] as const
export const collectionEvent = z.strictObject({ type: z.enum(COLLECTION_EVENTS), ...moneyFields })
export type CollectionEvent = z.infer<typeof collectionEvent>

export const PAYOUT_EVENTS = ['payout.settled', 'payout.failed', 'payout.returned'] as const
export const payoutEvent = z.strictObject({
  type: z.enum(PAYOUT_EVENTS),
  ...moneyFields,
  /** The reason for the failure or the return. */
  reason: z.enum(RETURN_REASONS).default('other'),
})
export type PayoutEvent = z.infer<typeof payoutEvent>

export const SETTLEMENT_EVENTS = ['settlement.paid', 'settlement.received'] as const
/** An event about a settlement. `id` is the provider's own id of the settlement. */
export const settlementEvent = z.strictObject({ type: z.enum(SETTLEMENT_EVENTS), ...moneyFields, amountMinor })
export type SettlementEvent = z.infer<typeof settlementEvent>
