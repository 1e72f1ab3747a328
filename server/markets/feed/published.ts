import { PRICED } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import { fetchPrices, type PriceSource } from '#server/markets/feed/fetch-prices.ts'
import { judgePrice, staleAfterMs } from '#server/markets/feed/guard.ts'
import type { Price, PriceFeed } from '#server/markets/feed/port.ts'
import {
  firstPriceAfter,
  firstPriceAt,
  haltMarket,
  insertPrice,
  type StoredMarket,
  readStoredPrices,
  lastPricesAt,
  referencePrices,
} from '#server/markets/feed/stored.ts'

/**
 * The time for which fetched prices are used before the next request, in milliseconds. It doubles after each failed request, up
 * to `LONGEST_MS`.
 */
const HOLDS_MS = 5_000
const LONGEST_MS = 60_000

type FeedDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Creates a feed of published prices. The guard judges each price. Accepted prices and halts are stored in the database, so all
 * servers halt and resume a market together. Each server fetches from the source itself, at most every few seconds. Without a
 * source, no market is open.
 */
export function publishedFeed(deps: FeedDeps, source: PriceSource | null): PriceFeed {
  const store = openKnown(deps, source)
  return {
    market: async (asset) => {
      const { last, halts } = await store()
      const price = last.get(asset) ?? null
      if (halts.has(asset)) return { asset, status: 'halted', price }
      const isFresh = source && price && ageOf(deps, price) <= staleAfterMs(asset)
      return { asset, status: isFresh ? 'open' : 'stale', price }
    },
    since: (asset) => firstPriceAt(deps, asset),
    after: (asset, moment) => firstPriceAfter(deps, asset, moment),
    at: (asset, moments) => lastPricesAt(deps, asset, moments),
    lateSince: async () => {
      if (!source) return null
      const { last, halts } = await store()
      const late = PRICED.flatMap((asset) => {
        const price = last.get(asset)
        const halt = halts.get(asset)
        if (halt) return [halt.since.getTime()]
        return price && ageOf(deps, price) > staleAfterMs(asset) ? [price.at.getTime() + staleAfterMs(asset)] : []
      })
      return late.length > 0 ? new Date(Math.min(...late)) : null
    },
  }
}

const ageOf = ({ clock }: FeedDeps, { at }: Price): number => clock.businessNow().getTime() - at.getTime()

/**
 * Returns a function that returns the stored prices. It fetches new prices at most every few seconds, and concurrent callers
 * share one fetch.
 */
function openKnown(deps: FeedDeps, source: PriceSource | null): () => Promise<StoredMarket> {
  let current: StoredMarket | null = null
  let pending: Promise<StoredMarket> | null = null
  let askedAt = 0
  let nextFetchAt = 0
  let failures = 0
  /** Prices that are a few seconds in the future, kept until their time. */
  let futurePrices: Price[] = []
  const now = (): number => deps.clock.realNow().getTime()

  /**
   * Fetches the source's prices. Returns an empty list after a failure, because callers can continue with the stored prices.
   */
  async function fetched(from: PriceSource): Promise<Price[]> {
    try {
      const prices = await fetchPrices(from)
      if (failures > 0) deps.log.info('the price feed answers again')
      failures = 0
      return prices
    } catch (error) {
      if (failures === 0) deps.log.warn({ err: error }, 'the price feed does not answer')
      failures += 1
      return []
    } finally {
      nextFetchAt = now() + Math.min(HOLDS_MS * 2 ** failures, LONGEST_MS)
    }
  }

  async function refresh(): Promise<StoredMarket> {
    // While the business date catches up day by day (platform/jobs/date-walk.ts), today's prices would be in the future.
    if (source && !deps.clock.movingTo() && now() >= nextFetchAt)
      futurePrices = await judgeAll(deps, [...futurePrices, ...(await fetched(source))])
    current = await readStoredPrices(deps)
    askedAt = now()
    return current
  }

  return async () => {
    if (current && now() < askedAt + HOLDS_MS) return current
    pending ??= refresh().finally(() => {
      pending = null
    })
    return pending
  }
}

/**
 * Judges prices: stores the accepted ones and halts the markets of the implausible ones. Returns the prices to judge again
 * later.
 */
async function judgeAll(deps: FeedDeps, prices: readonly Price[]): Promise<Price[]> {
  if (prices.length === 0) return []
  const futurePrices: Price[] = []
  const [{ last, halts }, references] = await Promise.all([readStoredPrices(deps), referencePrices(deps)])
  const now = deps.clock.businessNow()
  for (const price of prices) {
    const { asset } = price
    const judgment = judgePrice(
      price,
      {
        last: last.get(asset) ?? null,
        reference: references.get(asset) ?? null,
        haltedSince: halts.get(asset)?.since ?? null,
      },
      now,
    )
    if (judgment === 'accepted') {
      if (await insertPrice(deps, price)) deps.log.warn({ asset }, 'a market is open again')
    } else if (judgment === 'early') {
      futurePrices.push(price)
    } else if (judgment !== 'passed over') {
      if (!halts.has(asset)) deps.log.error({ asset, reason: judgment }, 'a market is halted')
      await haltMarket(deps, { asset, reason: judgment, since: now, refused: price })
    }
  }
  return futurePrices
}
