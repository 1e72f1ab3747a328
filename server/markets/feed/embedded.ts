import { isCoin, type Priced } from '#contract/markets.ts'
import { DAY_MS, HOUR_MS } from '#server/platform/days.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Price, PriceFeed } from '#server/markets/feed/port.ts'
import { GENERATED, generatedPrice, TICK_MS } from '#server/markets/feed/generator.ts'
import { isBusinessDay } from '#server/rails/settlement.ts'

/** When on a business day (UTC) the price of a fund's unit is struck, in milliseconds. */
const STRUCK_MS = 16 * HOUR_MS

/** Days are counted from here. */
const EPOCH = Temporal.PlainDate.from('1970-01-01')

/** The prices of a sample bank: generated, always fresh, and never ahead of its date. */
export function embeddedFeed({ clock }: Pick<Deps, 'clock'>): PriceFeed {
  const calendar = openCalendar()
  const last = (asset: Priced, moment: Date): Price | null => {
    const now = clock.businessNow()
    return priceAt(asset, calendar.by(asset, moment < now ? moment : now))
  }
  return {
    market: async (asset) => {
      const price = last(asset, clock.businessNow())
      return { asset, status: price ? 'open' : 'stale', price }
    },
    lateSince: async () => null,
    since: async () => GENERATED.from,
    after: async (asset, moment) => {
      const at = calendar.after(asset, moment)
      return at <= clock.businessNow() ? priceAt(asset, at) : null
    },
    at: async (asset, moments) => moments.map((moment) => last(asset, moment)),
  }
}

function priceAt(asset: Priced, at: Date): Price | null {
  if (at < GENERATED.from || at > GENERATED.until) return null
  return { asset, priceMicros: generatedPrice(asset, at), at }
}

/** When prices are published. What days are days of business is kept: a chart asks for some of them again and again. */
function openCalendar() {
  const known = new Map<number, boolean>()
  const isStruckOn = (day: number): boolean => {
    const found = known.get(day) ?? isBusinessDay(EPOCH.add({ days: day }))
    known.set(day, found)
    return found
  }
  return {
    /** When the last price was published, at a moment. */
    by: (asset: Priced, moment: Date): Date => {
      if (isCoin(asset)) return new Date(Math.floor(moment.getTime() / TICK_MS) * TICK_MS)
      let day = Math.floor((moment.getTime() - STRUCK_MS) / DAY_MS)
      while (!isStruckOn(day)) day -= 1
      return new Date(day * DAY_MS + STRUCK_MS)
    },
    /** When the next price is published, after a moment. */
    after: (asset: Priced, moment: Date): Date => {
      if (isCoin(asset)) return new Date((Math.floor(moment.getTime() / TICK_MS) + 1) * TICK_MS)
      let day = Math.floor((moment.getTime() - STRUCK_MS) / DAY_MS) + 1
      while (!isStruckOn(day)) day += 1
      return new Date(day * DAY_MS + STRUCK_MS)
    },
  }
}
