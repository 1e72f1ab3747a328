import type { MerchantKind } from '#contract/categories.ts'

/** How long a question may be, in characters. */
export const QUESTION_MOST = 500

/** How many questions of a conversation are kept, with their replies; the oldest go first. */
export const EXCHANGES_KEPT = 100

/** The screens that a reply may lead to, by the names that the web app's paths have. */
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

/** What can be asked. Where two fit a question equally well, the first is meant. */
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
] as const
export type Intent = (typeof ASK_INTENTS)[number]

/** What shops sell, where a question names that instead of a category. */
export const SHOP_KINDS = ['coffee', 'bakery', 'groceries', 'restaurant'] as const satisfies readonly MerchantKind[]

/** The example questions that a reply offers when the bank did not understand the customer's own. */
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
] as const satisfies readonly Intent[]
