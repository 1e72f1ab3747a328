import type { DeclineReason } from '#contract/decline-reasons.ts'

const SCREENS: Partial<Record<DeclineReason, string>> = {
  insufficient_funds: '/add-money',
  owes_bank: '/add-money',
  not_verified: '/kyc',
}

/** The screen on which a customer does something about a declined card payment: the cards', unless told. */
export const afterDecline = (reason: DeclineReason): string => SCREENS[reason] ?? '/cards'

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
