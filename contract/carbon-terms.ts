/** The categories of a footprint, in the order of the screen. */
export const CARBON_CATEGORIES = ['transport', 'shopping', 'food', 'energy'] as const
export type CarbonCategory = (typeof CARBON_CATEGORIES)[number]

/** Estimates are rounded to this number of grams. */
export const GRAM_STEP = 100

/** The price of offsetting one kilogram, in US cents. */
export const OFFSET_MINOR_PER_KG = 15

/** Returns the price of offsetting `grams` in total, in US cents, rounded half up. */
const priceInAll = (grams: number): number => Math.floor((grams * OFFSET_MINOR_PER_KG + 500) / 1000)

/**
 * Returns the price of offsetting `grams`, in US cents, if `before` grams of the same month are already offset. The prices of
 * the parts of a month add up to the price of the whole month. Each step of GRAM_STEP grams costs at least one cent.
 */
export function offsetPriceMinor(grams: number, before = 0): number {
  return priceInAll(before + grams) - priceInAll(before)
}
