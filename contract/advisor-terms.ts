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
] as const
