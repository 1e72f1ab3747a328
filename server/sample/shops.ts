import { randomInt } from 'node:crypto'
import { SHOP_CATEGORIES, type ShopCategory } from '#contract/categories.ts'
import type { ShopName } from '#server/card-scheme/sample-shops.ts'

type Shop = {
  name: ShopName
  /** The usual range of a purchase, in US cents. */
  fromMinor: number
  toMinor: number
}

/** Invented shops, the same as in the sample history. */
const SHOPS: Record<ShopCategory, readonly Shop[]> = {
  food: [
    { name: 'Copper Kettle Coffee', fromMinor: 3_20, toMinor: 9_80 },
    { name: 'Corner Bakehouse', fromMinor: 2_80, toMinor: 14_50 },
    { name: 'Greenmarket', fromMinor: 12_00, toMinor: 96_00 },
    { name: 'Noodle Lantern', fromMinor: 11_50, toMinor: 34_00 },
    { name: 'Olive Tree Kitchen', fromMinor: 18_00, toMinor: 72_00 },
  ],
  shopping: [
    { name: 'Fieldnote Books', fromMinor: 8_99, toMinor: 45_00 },
    { name: 'Maple & Thread', fromMinor: 24_00, toMinor: 130_00 },
    { name: 'Brightside Home', fromMinor: 15_00, toMinor: 145_00 },
    { name: 'Wren Papers', fromMinor: 4_50, toMinor: 38_00 },
  ],
  transport: [
    { name: 'City Metro', fromMinor: 2_90, toMinor: 2_90 },
    { name: 'Swift Cabs', fromMinor: 9_00, toMinor: 42_00 },
    { name: 'Northline Rail', fromMinor: 14_00, toMinor: 68_00 },
    { name: 'Fuelway', fromMinor: 28_00, toMinor: 74_00 },
  ],
  entertainment: [
    { name: 'Lumen Cinema', fromMinor: 12_50, toMinor: 38_00 },
    { name: 'Streamly', fromMinor: 15_99, toMinor: 15_99 },
    { name: 'The Attic Stage', fromMinor: 22_00, toMinor: 64_00 },
    { name: 'Arcade Nine', fromMinor: 6_00, toMinor: 28_00 },
  ],
}

/** Shops at the place that the sample history's customer visited in June. */
const ABROAD: readonly Shop[] = [
  { name: 'Café Alfama', fromMinor: 2_40, toMinor: 8_90 },
  { name: 'Tasca do Rio', fromMinor: 14_00, toMinor: 58_00 },
  { name: 'Pastelaria Luz', fromMinor: 2_10, toMinor: 11_50 },
  { name: 'Mercado Velho', fromMinor: 9_00, toMinor: 64_00 },
]

/** The shop of a purchase that costs more than the card can pay. */
const DEAR: ShopName = 'Pixel Harbor'

export type Sale = { shop: ShopName; amountMinor: number }

/** Returns a random purchase at a shop of one category, or of any. The amount is US cents. */
export function randomPurchase(category: ShopCategory = oneOf(SHOP_CATEGORIES)): Sale {
  return saleAt(oneOf(SHOPS[category]))
}

export const randomPurchaseAbroad = (): Sale => saleAt(oneOf(ABROAD))

/** Returns a purchase that costs slightly more than the card can pay, in US cents. */
export const expensivePurchase = (mostMinor: number): Sale => ({
  shop: DEAR,
  amountMinor: mostMinor + randomInt(1, 100_00),
})

function saleAt({ name, fromMinor, toMinor }: Shop): Sale {
  return { shop: name, amountMinor: randomInt(fromMinor, toMinor + 1) }
}

function oneOf<Value>(list: readonly Value[]): Value {
  return list[randomInt(list.length)] as Value
}
