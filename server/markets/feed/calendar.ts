import { DAY_MS, HOUR_MS } from '#server/platform/days.ts'
import { isBusinessDay } from '#server/rails/settlement.ts'

/** When on a business day (UTC) the price of a fund's unit is made, in milliseconds. */
const PRICED_MS = 16 * HOUR_MS

/** Days are counted from here. */
const EPOCH = Temporal.PlainDate.from('1970-01-01')

/** What days are days of business, by number: a chart asks for some of them again and again. */
const known = new Map<number, boolean>()

function isPricedOn(day: number): boolean {
  const found = known.get(day) ?? isBusinessDay(EPOCH.add({ days: day }))
  known.set(day, found)
  return found
}

/** The last day, by number, whose hour has come by a moment. */
const lastDay = (moment: Date): number => Math.floor((moment.getTime() - PRICED_MS) / DAY_MS)

const pricedOn = (day: number): Date => new Date(day * DAY_MS + PRICED_MS)

/** When funds were last priced, at a moment; both business time. */
export function lastPricing(moment: Date): Date {
  let day = lastDay(moment)
  while (!isPricedOn(day)) day -= 1
  return pricedOn(day)
}

/** When funds are next priced after a moment; both business time. */
export function nextPricing(after: Date): Date {
  let day = lastDay(after) + 1
  while (!isPricedOn(day)) day += 1
  return pricedOn(day)
}
