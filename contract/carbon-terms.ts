/** What a footprint is made of, in the order the screen lists it. */
export const CARBON_CATEGORIES = ['transport', 'shopping', 'food', 'energy'] as const
export type CarbonCategory = (typeof CARBON_CATEGORIES)[number]

/** Estimates are no finer than this, in grams. */
export const GRAM_STEP = 100

/** What offsetting a kilogram costs, US cents. */
export const OFFSET_MINOR_PER_KG = 15

/** What so many grams cost in all, US cents, rounded half up. */
const priceInAll = (grams: number): number => Math.floor((grams * OFFSET_MINOR_PER_KG + 500) / 1000)

/**
 * What it costs to offset so many grams of a month of which `before` grams are offset, US cents. However a month is divided,
 * its parts cost together what the whole does; each step costs a cent at least.
 */
export function offsetPriceMinor(grams: number, before = 0): number {
  return priceInAll(before + grams) - priceInAll(before)
}
