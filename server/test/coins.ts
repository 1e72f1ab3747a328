import type { Quote, Trade } from '#contract/crypto.ts'
import type { MarketStatus, Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Price } from '#server/markets/prices.ts'
import type { Person } from '#server/test/people.ts'

/** A market that stands where a test puts it, and remembers where it stood. */
export type FakeMarket = {
  /** From now on a coin costs so many whole dollars. */
  at(asset: Priced, dollars: number): void
  become(asset: Priced, status: MarketStatus): void
}

/** Puts a market in the place of the bank's prices. What nobody has priced is paused. */
export function fakeMarket(deps: Deps): FakeMarket {
  const known = new Map<Priced, Price[]>()
  const statuses = new Map<Priced, MarketStatus>()
  const last = (asset: Priced, moment = deps.clock.businessNow()): Price | null =>
    known.get(asset)?.findLast(({ at }) => at <= moment) ?? null
  deps.prices = {
    market: async (asset) => {
      const price = last(asset)
      return { asset, status: price ? (statuses.get(asset) ?? 'open') : 'stale', price }
    },
    lateSince: async () => null,
    since: async (asset) => known.get(asset)?.[0]?.at ?? null,
    after: async (asset, moment) => known.get(asset)?.find(({ at }) => at > moment) ?? null,
    at: async (asset, moments) => moments.map((moment) => last(asset, moment)),
  }
  return {
    at: (asset, dollars) => {
      const price = { asset, priceMicros: Math.round(dollars * 1e6), at: deps.clock.businessNow() }
      known.set(asset, [...(known.get(asset) ?? []), price])
    },
    become: (asset, status) => void statuses.set(asset, status),
  }
}

type Asked = { side: 'buy' | 'sell'; asset: string; amountMinor: number | null; amountAsset: string }

export const askQuote = (person: Person, asked: Asked) => person.browser.post('/api/v1/crypto/quotes', asked)

export async function quoteFor(person: Person, asked: Asked): Promise<Quote> {
  const answer = await askQuote(person, asked)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Quote
}

export const sendTrade = (person: Person, quoteId: string, key?: string) =>
  person.browser.post('/api/v1/crypto/trades', { quoteId }, key === undefined ? {} : { key })

/** Gets a quote and trades at once. */
export async function traded(person: Person, asked: Asked): Promise<Trade> {
  const answer = await sendTrade(person, (await quoteFor(person, asked)).id)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { trade: Trade }).trade
}
