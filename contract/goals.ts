/** The icons of savings goals. */
export const GOAL_ICONS = ['plane', 'umbrella', 'car', 'home', 'gift', 'leaf'] as const
export type GoalIcon = (typeof GOAL_ICONS)[number]

/** The maximum number of open goals of a customer. */
export const MAX_GOALS = 20

/** The number of hours between a customer's request to unlock a goal early and the unlock, in business time. */
export const UNLOCK_HOURS = 24

/** The factors by which the round-up of a card payment can be multiplied. */
export const ROUND_UP_TIMES = [1, 2, 5] as const
export type RoundUpTimes = (typeof ROUND_UP_TIMES)[number]
