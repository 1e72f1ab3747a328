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
  'fees',
  'safe',
] as const
export type Intent = (typeof ASK_INTENTS)[number]

/** What shops sell, where a question names that instead of a category. */
export const SHOP_KINDS = ['coffee', 'bakery', 'groceries', 'restaurant'] as const satisfies readonly MerchantKind[]

/** The questions that the bank offers to be asked; in each language, it answers them (offered.test.ts). */
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

/** The questions that a reply may be followed by. Another one is the question before, asked about last month. */
export const OFFERS = [...EXAMPLES, 'last_month'] as const
export type Offer = (typeof OFFERS)[number]

/** How many are offered at once. */
export const OFFERED_MOST = 3

/** How many rows a card of a reply lists. */
export const CARD_ROWS_MOST = 5
