import type { Category, MerchantKind } from '#contract/categories.ts'

/** The bank's classification of a merchant category code (MCC, ISO 18245). */
type Merchants = { category: Category; kind?: MerchantKind }

type Range = Merchants & { from: number; to: number }

const range = (from: number, to: number, merchants: Merchants): Range => ({ from, to, ...merchants })
const code = (mcc: number, merchants: Merchants): Range => range(mcc, mcc, merchants)

/**
 * The codes of ISO 18245 by category. Codes in no range do not belong to any of these categories, for example the codes of
 * doctors, schools and taxes, and codes that the standard has not assigned yet.
 */
const TABLE: readonly Range[] = [
  // Printing and cleaning goods.
  range(2741, 2842, { category: 'shopping' }),
  // Airlines and car rental.
  range(3000, 3500, { category: 'transport' }),
  // Hotels.
  range(3501, 3999, { category: 'entertainment' }),
  // Railways, local transport, taxis, buses. Ambulances are left out as medical.
  range(4011, 4112, { category: 'transport' }),
  range(4121, 4131, { category: 'transport' }),
  // Ships and ferries, boats for hire, marinas, airlines, airports.
  range(4411, 4411, { category: 'transport' }),
  range(4457, 4468, { category: 'entertainment' }),
  range(4511, 4582, { category: 'transport' }),
  // Travel agencies.
  range(4722, 4723, { category: 'entertainment' }),
  // Tolls and other transport.
  range(4784, 4789, { category: 'transport' }),
  // Phone, internet, television and utilities.
  range(4812, 4821, { category: 'bills' }),
  range(4899, 4900, { category: 'bills' }),
  // Wholesale, building supplies and department stores. Medical goods are left out, and fuel is transport.
  range(5013, 5046, { category: 'shopping' }),
  range(5051, 5111, { category: 'shopping' }),
  range(5131, 5169, { category: 'shopping' }),
  code(5172, { category: 'transport' }),
  range(5192, 5399, { category: 'shopping' }),
  code(5411, { category: 'food', kind: 'groceries' }),
  range(5422, 5451, { category: 'food', kind: 'groceries' }),
  code(5462, { category: 'food', kind: 'bakery' }),
  code(5499, { category: 'food', kind: 'groceries' }),
  // Cars, parts, fuel, charging and motorcycles are transport. Boats, caravans and the like are shopping.
  range(5511, 5542, { category: 'transport' }),
  code(5551, { category: 'shopping' }),
  code(5552, { category: 'transport' }),
  code(5561, { category: 'shopping' }),
  code(5571, { category: 'transport' }),
  range(5592, 5599, { category: 'shopping' }),
  // Clothing, furniture, electronics, music.
  range(5611, 5735, { category: 'shopping' }),
  range(5811, 5813, { category: 'food', kind: 'restaurant' }),
  // Coffee shops use the code of fast food.
  code(5814, { category: 'food', kind: 'coffee' }),
  // Digital goods: films, music, games.
  range(5815, 5818, { category: 'entertainment' }),
  code(5921, { category: 'food' }),
  // Second-hand, sports, books, toys and gifts.
  range(5931, 5950, { category: 'shopping' }),
  // Insurance, travel and other goods sold by mail, by phone or at the door.
  code(5960, { category: 'bills' }),
  code(5962, { category: 'entertainment' }),
  range(5963, 5973, { category: 'shopping' }),
  range(5977, 5978, { category: 'shopping' }),
  // Heating oil and gas.
  code(5983, { category: 'bills' }),
  range(5992, 5999, { category: 'shopping' }),
  // Insurance and rent.
  range(6300, 6399, { category: 'bills' }),
  code(6513, { category: 'bills' }),
  range(7011, 7033, { category: 'entertainment' }),
  // Car rental, parking, repairs.
  range(7511, 7549, { category: 'transport' }),
  // Cinemas, theaters, sports, arcades.
  range(7800, 7999, { category: 'entertainment' }),
  // Automobile associations.
  code(8675, { category: 'transport' }),
]

/**
 * Returns the category of a merchant code, and the kind of shop if the table has one. A code outside the table has the category
 * `other`.
 */
export function merchantsOf(mcc: string): Merchants {
  const number = Number(mcc)
  const { category, kind } = TABLE.find(({ from, to }) => number >= from && number <= to) ?? { category: 'other' }
  return { category, ...(kind ? { kind } : {}) }
}

/** The shops where guests add a tip to the authorized amount: caterers, restaurants, bars and fast food. */
const TIPPED: ReadonlySet<string> = new Set(['5811', '5812', '5813', '5814'])
/** The percentage of the authorized amount that a shop with tips may capture in addition to it. */
const TIP_PERCENT = 20

/** Returns the additional amount that a merchant may capture above `authorisedMinor`, in minor units, rounded down. */
export function tipAllowance(mcc: string, authorisedMinor: number): number {
  return TIPPED.has(mcc) ? Number((BigInt(authorisedMinor) * BigInt(TIP_PERCENT)) / 100n) : 0
}
