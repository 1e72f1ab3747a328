import { PRICED } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import { fetchPrices, type PriceSource } from '#server/markets/feed/fetch-prices.ts'
import { judge, staleAfterMs } from '#server/markets/feed/guard.ts'
import type { Price, PriceFeed } from '#server/markets/feed/port.ts'
import {
  firstPriceAfter,
  firstPriceAt,
  haltMarket,
  keepPrice,
  type Known,
  knownPrices,
  lastPricesAt,
  referencePrices,
} from '#server/markets/feed/stored.ts'

/** How long what was asked holds, in milliseconds; after an answer that failed, twice as long each time, and no longer than this. */
const HOLDS_MS = 5_000
const LONGEST_MS = 60_000

type FeedDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Prices that somebody publishes, each believed by the guard alone. What is known is in the database, so all servers
 * halt and resume together; each asks the source for itself, at most every few seconds. Without a source nothing is open.
 */
export function publishedFeed(deps: FeedDeps, source: PriceSource | null): PriceFeed {
  const known = openKnown(deps, source)
  return {
    market: async (asset) => {
      const { last, halts } = await known()
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
      const { last, halts } = await known()
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

/** What is known, asked for anew once it is a few seconds old; whoever comes meanwhile shares the question. */
function openKnown(deps: FeedDeps, source: PriceSource | null): () => Promise<Known> {
  let current: Known | null = null
  let asking: Promise<Known> | null = null
  let askedAt = 0
  let nextFetchAt = 0
  let failures = 0
  /** Prices whose time has not come yet, by seconds. */
  let early: Price[] = []
  const now = (): number => deps.clock.realNow().getTime()

  /** What the source says; nothing where it fails, which is no trouble of whoever asks. */
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

  async function ask(): Promise<Known> {
    // Today's prices would be of the future while the date stands at a day that was missed (platform/jobs/date-walk.ts).
    if (source && !deps.clock.movingTo() && now() >= nextFetchAt)
      early = await judgeAll(deps, [...early, ...(await fetched(source))])
    current = await knownPrices(deps)
    askedAt = now()
    return current
  }

  return async () => {
    if (current && now() < askedAt + HOLDS_MS) return current
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}

/** Keeps what can be believed, and halts the markets whose prices cannot. Answers those that are early. */
async function judgeAll(deps: FeedDeps, prices: readonly Price[]): Promise<Price[]> {
  if (prices.length === 0) return []
  const early: Price[] = []
  const [{ last, halts }, references] = await Promise.all([knownPrices(deps), referencePrices(deps)])
  const now = deps.clock.businessNow()
  for (const price of prices) {
    const { asset } = price
    const judgement = judge(
      price,
      {
        last: last.get(asset) ?? null,
        reference: references.get(asset) ?? null,
        haltedSince: halts.get(asset)?.since ?? null,
      },
      now,
    )
    if (judgement === 'believed') {
      if (await keepPrice(deps, price)) deps.log.warn({ asset }, 'a market is open again')
    } else if (judgement === 'early') {
      early.push(price)
    } else if (judgement !== 'passed over') {
      if (!halts.has(asset)) deps.log.error({ asset, reason: judgement }, 'a market is halted')
      await haltMarket(deps, { asset, reason: judgement, since: now, refused: price })
    }
  }
  return early
}
