import { isCoin, type Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Price, PriceFeed } from '#server/markets/feed/port.ts'
import { GENERATED, generatedPrice, TICK_MS } from '#server/markets/feed/generator.ts'
import { isBusinessDay } from '#server/rails/settlement.ts'

/** The hour (UTC) of a business day at which the price of a fund's unit is struck. */
const STRUCK_HOUR = 16

/** The prices of a sample bank: generated, always fresh, and never ahead of its date. */
export function embeddedFeed({ clock }: Pick<Deps, 'clock'>): PriceFeed {
  const last = (asset: Priced, moment: Date): Price | null => {
    const now = clock.businessNow()
    return priceAt(asset, publishedBy(asset, moment < now ? moment : now))
  }
  return {
    market: async (asset) => {
      const price = last(asset, clock.businessNow())
      return { asset, status: price ? 'open' : 'stale', price }
    },
    lateSince: async () => null,
    since: async () => GENERATED.from,
    after: async (asset, moment) => {
      const at = publishedAfter(asset, moment)
      return at <= clock.businessNow() ? priceAt(asset, at) : null
    },
    at: async (asset, moments) => moments.map((moment) => last(asset, moment)),
  }
}

function priceAt(asset: Priced, at: Date): Price | null {
  if (at < GENERATED.from || at > GENERATED.until) return null
  return { asset, priceMicros: generatedPrice(asset, at), at }
}

/** When the last price was published, at a moment. */
function publishedBy(asset: Priced, moment: Date): Date {
  if (isCoin(asset)) return new Date(Math.floor(moment.getTime() / TICK_MS) * TICK_MS)
  let day = dayAt(moment)
  while (!isBusinessDay(day) || struckOn(day) > moment) day = day.subtract({ days: 1 })
  return struckOn(day)
}

/** When the next price is published, after a moment. */
function publishedAfter(asset: Priced, moment: Date): Date {
  if (isCoin(asset)) return new Date((Math.floor(moment.getTime() / TICK_MS) + 1) * TICK_MS)
  let day = dayAt(moment)
  while (!isBusinessDay(day) || struckOn(day) <= moment) day = day.add({ days: 1 })
  return struckOn(day)
}

function dayAt(moment: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC').toPlainDate()
}

function struckOn(day: Temporal.PlainDate): Date {
  return new Date(day.toZonedDateTime({ timeZone: 'UTC', plainTime: { hour: STRUCK_HOUR } }).epochMilliseconds)
}
