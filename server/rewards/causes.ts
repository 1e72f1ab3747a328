import { dayOf } from '#server/calendar/zone.ts'
import { z } from 'zod'
import { EARN, type Earning, LEAST_EARNING_MINOR, PREMIUM_FACTOR } from '#contract/rewards.ts'

const common = {
  /** The operation, mandate or referral behind it, a lower-case UUID: it earns once, whoever tells of it how often. */
  causeId: z.uuid().lowercase(),
  customerId: z.uuid(),
  /** When it happened, business time. */
  at: z.coerce.date(),
}
const payment = {
  /** US cents. */
  amountMinor: z.int().positive(),
  /** Whom the customer reads as paid. */
  name: z.string(),
}

/** What earns a customer points. */
export const pointsCause = z.discriminatedUnion('kind', [
  /** A card payment that a shop has collected. `amountMinor` is what it collected. */
  z.object({ kind: z.literal('card'), ...common, ...payment, abroad: z.boolean() }),
  /** Money that another customer has got. */
  z.object({ kind: z.literal('send'), ...common, ...payment, recipientId: z.uuid() }),
  /** A friend who came by the customer's code and is now verified. */
  z.object({ kind: z.literal('refer_friend'), ...common, friendId: z.uuid() }),
  /** A direct debit that was set up; `biller` tells the biller from all others. */
  z.object({ kind: z.literal('direct_debit'), ...common, biller: z.string(), name: z.string() }),
])
export type PointsCause = z.infer<typeof pointsCause>

/** What it is rewarded as. */
export function earningsOf(cause: PointsCause): Earning[] {
  if (cause.kind === 'send') return ['payment']
  if (cause.kind === 'card') return cause.abroad ? ['payment', 'card_abroad'] : ['payment']
  return [cause.kind]
}

/** The points that it earns, where it earns any. */
export function pointsFor(cause: PointsCause, { doubled }: { doubled: boolean }): number {
  const points = earningsOf(cause).reduce((sum, earning) => sum + EARN[earning], 0)
  return doubled ? points * PREMIUM_FACTOR : points
}

/**
 * The points that a payment keeps once `refundedMinor` of its `amountMinor` have come back: in proportion, rounded down,
 * and none where less is left than earns any.
 */
export function pointsKept(points: number, amountMinor: number, refundedMinor: number): number {
  const leftMinor = amountMinor - refundedMinor
  if (refundedMinor > 0 && leftMinor < LEAST_EARNING_MINOR) return 0
  // In bigints: the product of a large amount and its points is more than a number holds exactly.
  return Number((BigInt(points) * BigInt(leftMinor)) / BigInt(amountMinor))
}

/** The day that it counts to, YYYY-MM-DD: its own, or the first of its month where months are counted. */
export function countedOn({ kind, at }: Pick<PointsCause, 'kind' | 'at'>): string {
  const day = dayOf(at)
  return kind === 'card' || kind === 'send' ? day : `${day.slice(0, 8)}01`
}

/** What it earns once for, or null where each earns by itself. Two people are one pair, whoever of them pays. */
export function onceFor(cause: PointsCause): string | null {
  if (cause.kind === 'card') return null
  if (cause.kind === 'refer_friend') return `friend:${cause.friendId}`
  if (cause.kind === 'direct_debit') return `direct_debit:${cause.customerId}:${cause.biller}`
  const pair = [cause.customerId, cause.recipientId].toSorted().join(':')
  return `send:${pair}:${countedOn(cause)}`
}
