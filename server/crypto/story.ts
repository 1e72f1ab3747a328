import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Coin } from '#contract/markets.ts'
import { keepTrade, tradeLegs } from '#server/crypto/trading/booking.ts'
import { keepCost, openPosition } from '#server/crypto/trading/position.ts'
import { buyFor, priceFor } from '#server/crypto/trading/pricing.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import { pricesAt } from '#server/markets/prices.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type StoryCast, type StoryPart, utc } from '#server/story/part.ts'

type StoryBuy = { asset: Coin; dollarsMinor: number; at: Date }

const BUYS: readonly StoryBuy[] = [
  { asset: 'BTC', dollarsMinor: 2_500_00, at: utc(1, 14, 19, 12) },
  { asset: 'ETH', dollarsMinor: 1_200_00, at: utc(2, 9, 20, 31) },
  { asset: 'LTC', dollarsMinor: 600_00, at: utc(3, 22, 17, 5) },
  { asset: 'BTC', dollarsMinor: 1_500_00, at: utc(4, 18, 18, 44) },
  { asset: 'ETH', dollarsMinor: 800_00, at: utc(6, 6, 16, 20) },
  { asset: 'LTC', dollarsMinor: 400_00, at: utc(6, 27, 12, 8) },
]

/** What the customer bought of the three coins in the first half of the year, at the prices of then. */
export const cryptoStory: StoryPart = async (deps, trx, cast) => {
  const operations: Operation[] = []
  const held = new Map<Coin, number>()
  for (const buy of BUYS) operations.push(...(await bought(deps, trx, cast, buy, held)))
  return operations
}

async function bought(
  deps: Pick<Deps, 'policy' | 'prices'>,
  trx: Transaction<Database>,
  { customer, dated }: StoryCast,
  { asset, dollarsMinor, at }: StoryBuy,
  held: Map<Coin, number>,
): Promise<Operation[]> {
  const [market] = await pricesAt(deps, asset, [dated(at)])
  if (!market) return []
  const exchange = buyFor(
    deps.policy.crypto,
    asset,
    dollarsMinor,
    priceFor(deps.policy.crypto, 'buy', market.priceMicros),
  )
  const position = await openPosition(trx, customer.id, asset)
  const id = randomUUIDv7()
  await keepTrade(trx, customer.id, { id, kind: 'quote', exchange, bookedAt: dated(at) })
  await keepCost(trx, customer.id, position, held.get(asset) ?? 0, exchange)
  held.set(asset, (held.get(asset) ?? 0) + exchange.amountMinor)
  const legs = tradeLegs({ exchange, current: customer.currentAccountId, coins: position.accountId })
  return [{ id, kind: 'crypto.buy', fingerprint: fingerprintOf('story', id), bookedAt: at, legs }]
}
