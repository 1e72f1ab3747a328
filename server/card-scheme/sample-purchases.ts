import { type Category, isDiningOut } from '#contract/categories.ts'
import { merchantsOf } from '#server/card-scheme/merchant-codes.ts'
import { type ShopName, shopByName } from '#server/card-scheme/sample-shops.ts'
import { LAST_MONTH, sampleTime } from '#server/sample-history/part.ts'

/**
 * The sums of card payments in each month of the sample history, January to August 2026, in US cents by category. `dining` is
 * the part of `food` that is spent in restaurants.
 */
const MONTHS = [
  { month: 1, food: 438_20, dining: 204_30, shopping: 341_15, transport: 214_35, entertainment: 211_40 },
  { month: 2, food: 421_60, dining: 196_80, shopping: 322_40, transport: 198_75, entertainment: 228_00 },
  { month: 3, food: 446_90, dining: 211_50, shopping: 398_20, transport: 221_30, entertainment: 233_00 },
  { month: 4, food: 459_75, dining: 218_25, shopping: 352_60, transport: 207_20, entertainment: 237_50 },
  { month: 5, food: 448_30, dining: 214_60, shopping: 421_10, transport: 232_50, entertainment: 245_00 },
  { month: 6, food: 463_85, dining: 246_00, shopping: 405_90, transport: 268_50, entertainment: 253_00 },
  { month: 7, food: 452_17, dining: 222_00, shopping: 446_27, transport: 255_90, entertainment: 275_00 },
  { month: 8, food: 520_00, dining: 255_30, shopping: 380_00, transport: 210_00, entertainment: 180_00 },
]

type CardCategory = Extract<Category, 'food' | 'shopping' | 'transport' | 'entertainment'>

export type SamplePurchase = {
  at: Date
  merchant: ShopName
  category: CardCategory
  amountMinor: number
  abroad?: boolean
}

/** The shops of each category. */
const MERCHANTS: Record<CardCategory, readonly ShopName[]> = {
  food: [
    'Copper Kettle Coffee',
    'Greenmarket',
    'Harvest & Rye',
    'Noodle Lantern',
    'Greenmarket',
    'Olive Tree Kitchen',
    'Corner Bakehouse',
  ],
  shopping: ['Fieldnote Books', 'Maple & Thread', 'Brightside Home', 'Pixel Harbor', 'Wren Papers'],
  transport: ['City Metro', 'Swift Cabs', 'City Metro', 'Northline Rail', 'Fuelway'],
  entertainment: ['Lumen Cinema', 'Streamly', 'The Attic Stage', 'Arcade Nine'],
}

/** The number of payments a month in each category, and their hours. */
const HABITS: Record<CardCategory, { times: number; hours: readonly number[] }> = {
  food: { times: 13, hours: [8, 18, 12, 19, 17, 20, 9] },
  shopping: { times: 5, hours: [13, 16, 11, 17, 15] },
  transport: { times: 8, hours: [7, 22, 18, 9, 8] },
  entertainment: { times: 3, hours: [20, 21, 19, 18] },
}

/** Returns the last event of the sample history. */
export const lastPurchase = (): SamplePurchase => ({
  at: sampleTime(8, 28, 8, 12),
  merchant: 'Copper Kettle Coffee',
  category: 'food',
  amountMinor: 5_60,
})

/** Returns the purchases of the last week, which the seven-day summary shows. */
const lastWeek = (): SamplePurchase[] => [
  { at: sampleTime(8, 25, 20, 15), merchant: 'Streamly', category: 'entertainment', amountMinor: 15_99 },
  { at: sampleTime(8, 26, 13, 5), merchant: 'Maple & Thread', category: 'shopping', amountMinor: 89_99 },
  { at: sampleTime(8, 26, 18, 40), merchant: 'Greenmarket', category: 'food', amountMinor: 72_90 },
  { at: sampleTime(8, 27, 22, 10), merchant: 'Swift Cabs', category: 'transport', amountMinor: 23_50 },
  lastPurchase(),
]

/** The purchases of a trip abroad in June. They replace that month's first meals. */
const ABROAD: { month: number; merchants: readonly ShopName[] } = {
  month: 6,
  merchants: ['Café Alfama', 'Tasca do Rio', 'Pastelaria Luz', 'Mercado Velho', 'Bar Miradouro'],
}

/** The day on which August's ordinary purchases end. The last week follows. */
const AUGUST_ENDS = 20
const DAYS = 28

/** Returns every purchase by card, oldest first. The purchases of each month add up exactly to the sums in MONTHS. */
export function cardPurchases(): SamplePurchase[] {
  const purchases: SamplePurchase[] = []
  for (const figures of MONTHS) {
    for (const category of Object.keys(HABITS) as CardCategory[]) {
      purchases.push(...monthPurchases(figures, category))
    }
  }
  return [...purchases, ...lastWeek()].toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

type Month = (typeof MONTHS)[number]

function monthPurchases(figures: Month, category: CardCategory): SamplePurchase[] {
  const { month } = figures
  const already = month === LAST_MONTH ? lastWeek().filter((purchase) => purchase.category === category) : []
  // The last two months have one meal less, so that the card has 230 payments at the end of the history.
  const times = HABITS[category].times - already.length - (category === 'food' && month >= 7 ? 1 : 0)
  const days = month === LAST_MONTH ? AUGUST_ENDS : DAYS
  const abroad = category === 'food' && month === ABROAD.month ? ABROAD.merchants : []
  const merchants = Array.from(
    { length: times },
    (_, index) => abroad[index] ?? itemAt(MERCHANTS[category], index + month),
  )
  const amounts = amountsAt(merchants, figures, category, already)
  return merchants.map((merchant, index) => {
    const turn = index + month
    const amountMinor = amounts[index] ?? 0
    return {
      at: sampleTime(
        month,
        1 + Math.floor((index * days) / times),
        itemAt(HABITS[category].hours, turn),
        (turn * 17 + amountMinor) % 60,
      ),
      merchant,
      category,
      amountMinor,
      ...(index < abroad.length ? { abroad: true } : {}),
    }
  })
}

/**
 * Returns the amount of the payment at each merchant, in US cents. Together with the payments in `already`, the amounts add up
 * to the month's sums.
 */
function amountsAt(
  merchants: readonly ShopName[],
  figures: Month,
  category: CardCategory,
  already: readonly SamplePurchase[],
): number[] {
  const splitRemaining = (totalMinor: number, isPart: (merchant: ShopName) => boolean) => {
    const paidMinor = already
      .filter(({ merchant }) => isPart(merchant))
      .reduce((sum, purchase) => sum + purchase.amountMinor, 0)
    return parts(totalMinor - paidMinor, merchants.filter(isPart).length, figures.month)
  }
  if (category !== 'food') return splitRemaining(figures[category], () => true)
  const [restaurantAmounts, groceryAmounts] = [
    splitRemaining(figures.dining, isEatenOut),
    splitRemaining(figures.food - figures.dining, (merchant) => !isEatenOut(merchant)),
  ]
  return merchants.map((merchant) => (isEatenOut(merchant) ? restaurantAmounts : groceryAmounts).shift() ?? 0)
}

const isEatenOut = (merchant: ShopName): boolean => isDiningOut(merchantsOf(shopByName(merchant).mcc).kind)

/** Uneven shares, with no two neighbors alike, to look real. */
const SHARES = [31, 12, 47, 8, 26, 19, 55, 10, 38, 15, 23, 6, 42]

/** Splits a total into `count` uneven amounts that add up to it. */
function parts(totalMinor: number, count: number, turn: number): number[] {
  const shares = Array.from({ length: count }, (_, index) => itemAt(SHARES, index + turn))
  const totalShares = shares.reduce((sum, share) => sum + share, 0)
  const amounts = shares.map((share) => Math.floor((totalMinor * share) / totalShares))
  const remainderMinor = totalMinor - amounts.reduce((sum, amount) => sum + amount, 0)
  return amounts.map((amount, index) => (index === 0 ? amount + remainderMinor : amount))
}

function itemAt<Value>(list: readonly Value[], index: number): Value {
  return list[index % list.length] as Value
}
