import type { Quote, Trade } from '#contract/crypto.ts'
import type { MarketStatus, Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Price } from '#server/markets/prices.ts'
import type { TestPerson } from '#server/test/people.ts'

/** A market whose prices a test sets. It keeps the past prices. */
export type FakeMarket = {
  /** Sets the current price of an asset, in dollars per unit. */
  at(asset: Priced, dollars: number): void
  become(asset: Priced, status: MarketStatus): void
}

/** Replaces the bank's prices with a fake market. Assets without a price are paused. */
export function fakeMarket(deps: Deps): FakeMarket {
  const pricesByAsset = new Map<Priced, Price[]>()
  const statuses = new Map<Priced, MarketStatus>()
  const lastPrice = (asset: Priced, moment = deps.clock.businessNow()): Price | null =>
    pricesByAsset.get(asset)?.findLast(({ at }) => at <= moment) ?? null
  deps.prices = {
    market: async (asset) => {
      const price = lastPrice(asset)
      return { asset, status: price ? (statuses.get(asset) ?? 'open') : 'stale', price }
    },
    lateSince: async () => null,
    since: async (asset) => pricesByAsset.get(asset)?.[0]?.at ?? null,
    after: async (asset, moment) => pricesByAsset.get(asset)?.find(({ at }) => at > moment) ?? null,
    at: async (asset, moments) => moments.map((moment) => lastPrice(asset, moment)),
  }
  return {
    at: (asset, dollars) => {
      const price = { asset, priceMicros: Math.round(dollars * 1e6), at: deps.clock.businessNow() }
      pricesByAsset.set(asset, [...(pricesByAsset.get(asset) ?? []), price])
    },
    become: (asset, status) => void statuses.set(asset, status),
  }
}

type QuoteRequest = { side: 'buy' | 'sell'; asset: string; amountMinor: number | null; amountAsset: string }

export const askQuote = (person: TestPerson, quoteRequest: QuoteRequest) =>
  person.browser.post('/api/v1/crypto/quotes', quoteRequest)

export async function quoteFor(person: TestPerson, quoteRequest: QuoteRequest): Promise<Quote> {
  const answer = await askQuote(person, quoteRequest)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Quote
}

export const sendTrade = (person: TestPerson, quoteId: string, key?: string) =>
  person.browser.post('/api/v1/crypto/trades', { quoteId }, key === undefined ? {} : { key })

/** Gets a quote and trades at once. */
export async function makeTrade(person: TestPerson, quoteRequest: QuoteRequest): Promise<Trade> {
  const answer = await sendTrade(person, (await quoteFor(person, quoteRequest)).id)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { trade: Trade }).trade
}
