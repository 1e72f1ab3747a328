/** Points earned, by what for. */
export const EARN = {
  payment: 5,
  refer_friend: 500,
  direct_debit: 100,
  /** On top of the payment's own, for a card used abroad. */
  card_abroad: 20,
} as const

export type Earning = keyof typeof EARN
