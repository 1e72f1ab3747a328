import type { DeclineReason } from '#contract/decline-reasons.ts'

const SCREENS: Partial<Record<DeclineReason, string>> = {
  insufficient_funds: '/add-money',
  owes_bank: '/add-money',
  not_verified: '/kyc',
}

/** What the card's own limits and switches declined: they are changed where its screen opens them. */
const BY_CONTROLS: ReadonlySet<DeclineReason> = new Set([
  'payment_limit',
  'month_limit',
  'abroad_off',
  'online_off',
  'contactless_off',
])

/** The name in the query string of the cards' screen of the card whose limits and controls are open. */
export const CONTROLS_OF = 'controls'

type Declined = {
  reason: DeclineReason
  /** The card's id; missing where the bank does not know the card. */
  cardId?: string | undefined
}

/** Where a customer does something about a declined card payment: among their cards, unless told. */
export function afterDecline({ reason, cardId }: Declined): string {
  if (cardId !== undefined && BY_CONTROLS.has(reason)) return `/cards?${CONTROLS_OF}=${encodeURIComponent(cardId)}`
  return SCREENS[reason] ?? '/cards'
}

/** Declines whose cause the customer can take away by themselves, and that nothing else on the first screen speaks of. */
export const CHANGEABLE_DECLINES = [
  'card_frozen',
  'abroad_off',
  'online_off',
  'contactless_off',
  'payment_limit',
  'insufficient_funds',
] as const satisfies readonly DeclineReason[]
export type ChangeableDecline = (typeof CHANGEABLE_DECLINES)[number]
