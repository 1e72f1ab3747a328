/** The categories of transactions, each as a key with its English label. The bank stores the key. */
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

/** The categories of spending, in the order of the screens. A screen lists `other` only if the category has spending. */
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

/**
 * The categories that count as neither income nor an expense: moves of the customer's own money, including top-ups and
 * withdrawals, and the money and repayments of loans.
 */
export const OWN_MOVES: readonly Category[] = ['top_up', 'payout', 'savings', 'card', 'loan', 'investing', 'crypto']

/**
 * The kind of a shop, which is more exact than the shop's category. In a card payment, the kind is a parameter of the payment
 * method.
 */
export type MerchantKind = 'coffee' | 'bakery' | 'groceries' | 'restaurant'

/** The kinds that count as dining out: caterers, restaurants, bars, coffee and fast food. */
const DINING_OUT: readonly MerchantKind[] = ['restaurant', 'coffee']
export const isDiningOut = (kind: string | undefined): boolean => (DINING_OUT as readonly unknown[]).includes(kind)

/** The name of the payment method's parameter that contains the kind of shop. */
export const MERCHANT_KIND = 'merchantKind'

/** The categories of the sample bank's invented shops. */
export const SHOP_CATEGORIES = ['food', 'shopping', 'transport', 'entertainment'] as const satisfies readonly Category[]
export type ShopCategory = (typeof SHOP_CATEGORIES)[number]
