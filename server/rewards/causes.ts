import { dayOf } from '#server/calendar/zone.ts'
import { z } from 'zod'
import { EARN, type Earning, MIN_EARNING_MINOR, PREMIUM_FACTOR } from '#contract/rewards.ts'

const common = {
  /**
   * The id of the operation, mandate or referral, a lower-case UUID. The same id earns points only once, even if the event is
   * reported repeatedly.
   */
  causeId: z.uuid().lowercase(),
  customerId: z.uuid(),
  /** The time of the event, in business time. */
  at: z.coerce.date(),
}
const payment = {
  /** The amount in US cents. */
  amountMinor: z.int().positive(),
  /** The payee as the customer sees it. */
  name: z.string(),
}

/** An event that earns a customer points. */
export const pointsCause = z.discriminatedUnion('kind', [
  /** A card payment that a shop has captured. `amountMinor` is the captured amount. */
  z.object({ kind: z.literal('card'), ...common, ...payment, abroad: z.boolean() }),
  /** A payment that another customer has received. */
  z.object({ kind: z.literal('send'), ...common, ...payment, recipientId: z.uuid() }),
  /** A friend who joined with the customer's code and is now verified. */
  z.object({ kind: z.literal('refer_friend'), ...common, friendId: z.uuid() }),
  /** A new direct debit. `biller` identifies the biller. */
  z.object({ kind: z.literal('direct_debit'), ...common, biller: z.string(), name: z.string() }),
])
export type PointsCause = z.infer<typeof pointsCause>

/** Returns the kinds of points that a cause earns. One cause may earn several kinds. */
export function earningsOf(cause: PointsCause): Earning[] {
  if (cause.kind === 'send') return ['payment']
  if (cause.kind === 'card') return cause.abroad ? ['payment', 'card_abroad'] : ['payment']
  return [cause.kind]
}

/** Returns the number of points for a cause. The caller checks the amount and the limits. */
export function pointsFor(cause: PointsCause, { doubled }: { doubled: boolean }): number {
  const points = earningsOf(cause).reduce((sum, earning) => sum + EARN[earning], 0)
  return doubled ? points * PREMIUM_FACTOR : points
}

/**
 * Returns the points that a payment keeps after a refund of `refundedMinor` (US cents): in proportion to the remaining amount,
 * rounded down. It keeps no points if the remaining amount is too small to earn points.
 */
export function pointsAfterRefund(points: number, amountMinor: number, refundedMinor: number): number {
  const leftMinor = amountMinor - refundedMinor
  if (refundedMinor > 0 && leftMinor < MIN_EARNING_MINOR) return 0
  // The product of a large amount and its points is more than a number can represent exactly, so it is a bigint.
  return Number((BigInt(points) * BigInt(leftMinor)) / BigInt(amountMinor))
}

/**
 * Returns the day under which a cause counts towards a limit, YYYY-MM-DD. For a daily limit it is the day of the cause. For a
 * monthly limit it is the first day of the month.
 */
export function countingDay({ kind, at }: Pick<PointsCause, 'kind' | 'at'>): string {
  const day = dayOf(at)
  return kind === 'card' || kind === 'send' ? day : `${day.slice(0, 8)}01`
}

/**
 * Returns a key that earns points only once, or null if every cause of this kind earns points. For payments between two people,
 * the key is the same in both directions.
 */
export function uniqueKeyOf(cause: PointsCause): string | null {
  if (cause.kind === 'card') return null
  if (cause.kind === 'refer_friend') return `friend:${cause.friendId}`
  if (cause.kind === 'direct_debit') return `direct_debit:${cause.customerId}:${cause.biller}`
  const pair = [cause.customerId, cause.recipientId].toSorted().join(':')
  return `send:${pair}:${countingDay(cause)}`
}
