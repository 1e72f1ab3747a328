/** What a savings goal may be drawn as. */
export const GOAL_ICONS = ['plane', 'umbrella', 'car', 'home', 'gift', 'leaf'] as const
export type GoalIcon = (typeof GOAL_ICONS)[number]

/** How many goals a customer may have open at the same time. */
export const MOST_GOALS = 20

/** How long after it was asked for a goal is unlocked early, in hours of business time. */
export const UNLOCK_HOURS = 24

/** How many times over a card payment may be rounded up. */
export const ROUND_UP_TIMES = [1, 2, 5] as const
export type RoundUpTimes = (typeof ROUND_UP_TIMES)[number]
