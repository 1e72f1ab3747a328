import type { MerchantKind } from '#contract/categories.ts'

/** The maximum length of a question, in characters. */
export const MAX_QUESTION = 500

/** The number of questions that a conversation keeps, with their replies. The oldest are deleted first. */
export const EXCHANGES_KEPT = 100

/** The screens that a reply may link to, by their names in the web app's paths. */
export const ADVISED_SCREENS = [
  'transactions',
  'transactionDetail',
  'dashboard',
  'savings',
  'invest',
  'crypto',
  'rewards',
  'loans',
  'cards',
  'transfer',
  'addMoney',
  'analytics',
  'carbonFootprint',
  'helpCenter',
  'helpArticle',
] as const

/** The kinds of questions that the advisor recognizes. If two kinds match equally well, the advisor takes the first one. */
export const ASK_INTENTS = [
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
  'payday',
  'charge',
  'end_loan',
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
  'how_to',
  'fees',
  'safe',
] as const
export type Intent = (typeof ASK_INTENTS)[number]

/** The kinds of shops that a question may name instead of a category. */
export const SHOP_KINDS = ['coffee', 'bakery', 'groceries', 'restaurant'] as const satisfies readonly MerchantKind[]

/** The questions that the advisor suggests. suggestions.test.ts checks that each is answered in every language. */
export const EXAMPLES = [
  'spending',
  'recurring',
  'upcoming',
  'payday',
  'afford',
  'goals',
  'largest',
  'balance',
  'income',
  'charge',
  'save_more',
  'reduce_spending',
  'invest_tips',
  'compare',
  'forecast',
  'goal_what_if',
  'fees',
  'safe',
] as const satisfies readonly Intent[]

/** The questions that a reply may suggest next. `last_month` repeats the previous question for last month. */
export const OFFERS = [...EXAMPLES, 'last_month'] as const
export type Offer = (typeof OFFERS)[number]

/** The maximum number of suggestions below a reply. */
export const MAX_OFFERED = 3

/** The maximum number of rows in a card of a reply. */
export const MAX_CARD_ROWS = 5
