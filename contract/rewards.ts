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

/** What points buy, in the order the screen lists it. `kind` says how it is given. */
export const REWARDS = {
  cashback: { points: 1_000, kind: 'cashback', cashbackMinor: 10_00 },
  premium_month: { points: 2_500, kind: 'premium' },
  voucher: { points: 5_000, kind: 'code' },
  lounge: { points: 3_500, kind: 'code' },
} as const

export type Reward = keyof typeof REWARDS
export const REWARD_KEYS = Object.keys(REWARDS) as [Reward, ...Reward[]]
