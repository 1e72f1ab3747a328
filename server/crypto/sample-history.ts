import { randomUUIDv7 } from 'node:crypto'
import { type Coin, COINS } from '#contract/markets.ts'
import { insertTrades, tradeLegs } from '#server/crypto/trading/booking.ts'
import { buyFor, type PricedTrade, priceFor } from '#server/crypto/trading/pricing.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { pricesAt } from '#server/markets/prices.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

type SampleBuy = { asset: Coin; dollarsMinor: number; at: Date }

const sampleBuys = (): SampleBuy[] => [
  { asset: 'BTC', dollarsMinor: 2_500_00, at: sampleTime(1, 14, 19, 12) },
  { asset: 'ETH', dollarsMinor: 1_200_00, at: sampleTime(2, 9, 20, 31) },
  { asset: 'LTC', dollarsMinor: 600_00, at: sampleTime(3, 22, 17, 5) },
  { asset: 'BTC', dollarsMinor: 1_500_00, at: sampleTime(4, 18, 18, 44) },
  { asset: 'ETH', dollarsMinor: 800_00, at: sampleTime(6, 6, 16, 20) },
  { asset: 'LTC', dollarsMinor: 400_00, at: sampleTime(6, 27, 12, 8) },
]

type Bought = { id: string; exchange: PricedTrade; at: Date }

/** Adds a sample customer's purchases of the three coins in the first half of the year, at the prices of that time. */
export const cryptoSampleHistory: SampleHistoryPart = async (deps, trx, { customer, dated }) => {
  const planned = sampleBuys()
  const buys = await Promise.all(planned.map((buy) => boughtAt(deps, buy, dated(buy.at))))
  const ids = await openAccounts(
    runIn(trx),
    COINS.map((asset) => ({ holderId: customer.id, code: 'crypto', asset })),
  )
  const accounts = new Map(COINS.map((asset, place) => [asset, ids[place] as AccountId]))
  const costOf = (asset: Coin) => planned.reduce((sum, buy) => sum + (buy.asset === asset ? buy.dollarsMinor : 0), 0)
  await trx
    .insertInto('bank.crypto_position')
    .values(
      [...accounts].map(([asset, accountId]) => ({
        customer_id: customer.id,
        asset,
        account_id: accountId,
        cost_minor: costOf(asset),
      })),
    )
    .execute()
  await insertTrades(
    trx,
    customer.id,
    buys.map(({ id, exchange, at }) => ({ id, kind: 'quote', exchange, bookedAt: dated(at) })),
  )
  return buys.map(({ id, exchange, at }): Operation => {
    const coins = accounts.get(exchange.asset) as AccountId
    const legs = tradeLegs({ exchange, current: customer.currentAccountId, coins })
    return { id, kind: 'crypto.buy', fingerprint: fingerprintOf('story', id), bookedAt: at, legs }
  })
}

/** Returns one purchase at the price of its date. Throws if the bank has no price for that date. */
async function boughtAt(
  deps: Pick<Deps, 'policy' | 'prices'>,
  { asset, dollarsMinor, at }: SampleBuy,
  date: Date,
): Promise<Bought> {
  const [market] = await pricesAt(deps, asset, [date])
  if (!market) throw new Error(`There is no price of ${asset} at ${date.toISOString()}`)
  const terms = deps.policy.crypto
  const exchange = buyFor(terms, asset, dollarsMinor, priceFor(terms, 'buy', market.priceMicros))
  return { id: randomUUIDv7(), exchange, at }
}
