import type { CardRecord, CardLimits } from '#server/cards/card.ts'
import type { Policy } from '#server/bank/policy.ts'

/** Returns a card's limits in US cents: the holder's settings, capped by the bank's own limits. */
export function limitsOf(
  { cards }: Pick<Policy, 'cards'>,
  card: Pick<CardRecord, keyof CardLimits>,
): { paymentMinor: number; monthMinor: number } {
  return {
    paymentMinor: Math.min(card.paymentLimitMinor ?? cards.paymentMinor, cards.paymentMinor),
    monthMinor: Math.min(card.monthLimitMinor ?? cards.monthMinor, cards.monthMinor),
  }
}
