/** Points earned, by what for. */
export const EARN = {
  payment: 5,
  refer_friend: 500,
  direct_debit: 100,
  /** On top of the payment's own, for a card used abroad. */
  card_abroad: 20,
} as const

export type Earning = keyof typeof EARN

/** What points are multiplied by with Premium. */
export const PREMIUM_FACTOR = 2

/** The least that a payment earns for, US cents. */
export const LEAST_EARNING_MINOR = 1_00

/** The points at which the next tier begins. */
export const TIER_TARGET = 5_000
