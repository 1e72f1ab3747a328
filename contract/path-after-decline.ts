import type { DeclineReason } from '#contract/decline-reasons.ts'

const SCREENS: Partial<Record<DeclineReason, string>> = {
  insufficient_funds: '/add-money',
  owes_bank: '/add-money',
  not_verified: '/kyc',
}

/**
 * The reasons of declines that the card's own limits and switches cause. The customer can change the limits and switches in the
 * card's settings.
 */
const BY_CONTROLS: ReadonlySet<DeclineReason> = new Set([
  'payment_limit',
  'month_limit',
  'abroad_off',
  'online_off',
  'contactless_off',
])

/**
 * The query parameter of the cards screen with the id of a card. The screen then opens the limits and controls of this card.
 */
export const CONTROLS_OF = 'controls'

type DeclinedPayment = {
  reason: DeclineReason
  /** The card's id; missing if the bank does not know the card number. */
  cardId?: string | undefined
}

/** Returns the path of the screen on which a customer can act on a declined card payment. The default is the cards screen. */
export function afterDecline({ reason, cardId }: DeclinedPayment): string {
  if (cardId !== undefined && BY_CONTROLS.has(reason)) return `/cards?${CONTROLS_OF}=${encodeURIComponent(cardId)}`
  return SCREENS[reason] ?? '/cards'
}

/** The reasons of declines that the dashboard shows as an item. The customer can remove each of these reasons. */
export const CHANGEABLE_DECLINES = [
  'card_frozen',
  'abroad_off',
  'online_off',
  'contactless_off',
  'payment_limit',
  'insufficient_funds',
] as const satisfies readonly DeclineReason[]
export type ChangeableDecline = (typeof CHANGEABLE_DECLINES)[number]
