import type { Category, MerchantKind } from '#contract/categories.ts'

/** What the bank makes of a merchant category code (MCC, ISO 18245). */
type Merchants = { category: Category; kind?: MerchantKind }

type Range = Merchants & { from: number; to: number }

const range = (from: number, to: number, merchants: Merchants): Range => ({ from, to, ...merchants })
const code = (mcc: number, merchants: Merchants): Range => range(mcc, mcc, merchants)

/** By code; what is in none of the ranges is shopping. */
const TABLE: readonly Range[] = [
  // Airlines and car rental.
  range(3000, 3441, { category: 'transport' }),
  // Hotels.
  range(3501, 3999, { category: 'entertainment' }),
  // Railways, local transport, taxis, buses; ships, airports, tolls.
  range(4011, 4131, { category: 'transport' }),
  range(4411, 4582, { category: 'transport' }),
  range(4784, 4789, { category: 'transport' }),
  // Phone, internet, television and utilities.
  range(4812, 4816, { category: 'bills' }),
  range(4899, 4900, { category: 'bills' }),
  code(5411, { category: 'food', kind: 'groceries' }),
  range(5422, 5451, { category: 'food', kind: 'groceries' }),
  code(5462, { category: 'food', kind: 'bakery' }),
  code(5499, { category: 'food', kind: 'groceries' }),
  range(5541, 5552, { category: 'transport' }),
  range(5811, 5813, { category: 'food', kind: 'restaurant' }),
  // Coffee shops have the code of fast food.
  code(5814, { category: 'food', kind: 'coffee' }),
  // Digital goods: films, music, games.
  range(5815, 5818, { category: 'entertainment' }),
  code(5921, { category: 'food' }),
  // Insurance.
  code(5960, { category: 'bills' }),
  range(6300, 6399, { category: 'bills' }),
  range(7011, 7033, { category: 'entertainment' }),
  // Car rental, parking, repairs.
  range(7511, 7549, { category: 'transport' }),
  // Cinemas, theatres, sports, arcades.
  range(7800, 7999, { category: 'entertainment' }),
]

/** What is bought there, and what kind of shop it is where that says more. */
export function merchantsOf(mcc: string): Merchants {
  const number = Number(mcc)
  const { category, kind } = TABLE.find(({ from, to }) => number >= from && number <= to) ?? { category: 'shopping' }
  return { category, ...(kind ? { kind } : {}) }
}

/** Where guests add a tip to what was authorised: restaurants, bars and fast food. */
const TIPPED: ReadonlySet<string> = new Set(['5811', '5812', '5813', '5814'])
/** What may be captured beyond the authorised amount there, percent. */
const TIP_PERCENT = 20

/** How much more than `authorisedMinor` such a merchant may capture, in minor units, rounded down. */
export function tipAllowance(mcc: string, authorisedMinor: number): number {
  return TIPPED.has(mcc) ? Number((BigInt(authorisedMinor) * BigInt(TIP_PERCENT)) / 100n) : 0
}
