import type { Card, CardLimits } from '#server/cards/card.ts'
import type { Policy } from '#server/bank/policy.ts'

/** What a card may pay at most, US cents: as its holder has set it, and never more than the bank's own limits. */
export function limitsOf(
  { cards }: Pick<Policy, 'cards'>,
  card: Pick<Card, keyof CardLimits>,
): { paymentMinor: number; monthMinor: number } {
  return {
    paymentMinor: Math.min(card.paymentLimitMinor ?? cards.paymentMinor, cards.paymentMinor),
    monthMinor: Math.min(card.monthLimitMinor ?? cards.monthMinor, cards.monthMinor),
  }
}
