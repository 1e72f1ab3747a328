/** What can be asked. Where two fit a question equally well, the first is meant. */
export const INTENTS = [
  'save_more',
  'invest_tips',
  'reduce_spending',
  'goal_what_if',
  'afford',
  'forecast',
  'compare',
  'recurring',
  'upcoming',
  'goals',
  'largest',
  'recent',
  'income',
  'balance',
  'points',
  'credit',
  'crypto',
  'carbon',
  'cards',
  'send',
  'add_money',
  'budget',
  'spending',
  'refused',
  'help',
  'thanks',
] as const
export type Intent = (typeof INTENTS)[number]

/** Categories that a question may name. */
export const SPENT_ON = ['food', 'shopping', 'transport', 'entertainment', 'bills'] as const
