/** The number of points that each kind of action earns. */
export const EARN = {
  payment: 5,
  refer_friend: 500,
  direct_debit: 100,
  /** The points that a card payment abroad earns in addition to the points of a payment. */
  card_abroad: 20,
} as const

export type Earning = keyof typeof EARN

/** The factor by which Premium multiplies earned points. */
export const PREMIUM_FACTOR = 2

/** The lowest payment that earns points, in US cents. */
export const MIN_EARNING_MINOR = 1_00

/** The number of points at which the next tier begins. */
export const TIER_TARGET = 5_000

/** The rewards for which a customer can spend points, in the order of the screen. `kind` is the form of the reward. */
export const REWARDS = {
  cashback: { points: 1_000, kind: 'cashback', cashbackMinor: 10_00 },
  premium_month: { points: 2_500, kind: 'premium' },
  voucher: { points: 5_000, kind: 'code' },
  lounge: { points: 3_500, kind: 'code' },
} as const

export type Reward = keyof typeof REWARDS
export const REWARD_KEYS = Object.keys(REWARDS) as [Reward, ...Reward[]]
