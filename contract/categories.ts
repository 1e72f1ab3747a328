/** What a transaction was for. The key is kept; the label is what a person reads. */
export const CATEGORIES = {
  food: 'Food & Drink',
  shopping: 'Shopping',
  transport: 'Transport',
  entertainment: 'Entertainment',
  bills: 'Bills',
  other: 'Other',
  income: 'Income',
  transfer: 'Transfer',
  top_up: 'Add Money',
  payout: 'Withdrawal',
  savings: 'Savings',
  card: 'Card',
  loan: 'Loan',
  investing: 'Investing',
  crypto: 'Crypto',
  offset: 'Carbon Offset',
} as const
export type Category = keyof typeof CATEGORIES
export const CATEGORY_KEYS = Object.keys(CATEGORIES) as [Category, ...Category[]]

/** Categories of spending, in the order the screens list them. `other` is listed only where something was spent on it. */
export const SPENDING = [
  'food',
  'shopping',
  'transport',
  'entertainment',
  'bills',
  'other',
] as const satisfies readonly Category[]
export type SpendingCategory = (typeof SPENDING)[number]

export const isSpendingCategory = (category: Category | '' | null): category is SpendingCategory =>
  (SPENDING as readonly (string | null)[]).includes(category)

/** Categories that are neither income nor spending: the customer's own money changing places. */
export const OWN_MOVES: readonly Category[] = ['top_up', 'payout', 'savings', 'card', 'loan', 'investing', 'crypto']

/** What a shop is, where its category leaves that open. A charge says it in its method's parameters. */
export type MerchantKind = 'coffee' | 'bakery' | 'groceries' | 'restaurant'

/** Those where people eat and drink out: caterers, restaurants, bars, coffee and fast food. */
const DINING_OUT: readonly MerchantKind[] = ['restaurant', 'coffee']
export const isDiningOut = (kind: string | undefined): boolean => (DINING_OUT as readonly unknown[]).includes(kind)

/** The parameter that says it. */
export const MERCHANT_KIND = 'merchantKind'

/** What the invented shops sell. */
export const SHOP_CATEGORIES = ['food', 'shopping', 'transport', 'entertainment'] as const satisfies readonly Category[]
export type ShopCategory = (typeof SHOP_CATEGORIES)[number]
