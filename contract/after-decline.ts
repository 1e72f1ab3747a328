import type { DeclineReason } from '#contract/decline-reasons.ts'

const SCREENS: Partial<Record<DeclineReason, string>> = {
  insufficient_funds: '/add-money',
  owes_bank: '/add-money',
  not_verified: '/kyc',
}

/** The screen on which a customer does something about a declined card payment: the cards', unless told. */
export const afterDecline = (reason: DeclineReason): string => SCREENS[reason] ?? '/cards'
