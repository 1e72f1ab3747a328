import type { ValueHistory } from '#contract/crypto.ts'
import { type PriceRange, proceedsOf } from '#contract/markets.ts'
import { type CoinPosition, positionsOf } from '#server/crypto/trading/position.ts'
import { type BalanceAfter, balancesFrom } from '#server/ledger/entries.ts'
import { chartMoments, rangeStart } from '#server/markets/chart-moments.ts'
import { pricesAt } from '#server/markets/prices.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type HistoryDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'prices'>

/**
 * Returns the total value of a customer's coins over time, at market prices, the oldest point first. There are no points if the
 * customer never had coins.
 */
export async function readValueHistory(
  deps: HistoryDeps,
  customerId: string,
  range: PriceRange,
): Promise<ValueHistory> {
  const positions = await positionsOf(deps, customerId)
  const balances = await balancesFrom(
    runOn(deps.pool),
    positions.map(({ accountId: id }) => ({ id, version: 1 })),
  )
  const first = Math.min(...[...balances.values()].map(([entry]) => entry?.bookedAt.getTime() ?? Infinity))
  if (first === Infinity) return { asset: 'USD', points: [] }
  const now = deps.clock.businessNow().getTime()
  const moments = chartMoments(rangeStart(range, first, now), now)
  const values = await Promise.all(
    positions.map((position) => valuesOf(deps, position, balances.get(position.accountId) ?? [], moments)),
  )
  const points = moments.map((at, place) => ({
    at: at.toISOString(),
    valueMinor: values.reduce((sum, of) => sum + (of[place] ?? 0), 0),
  }))
  return { asset: 'USD', points }
}

/** Returns the value of one coin's holding at each moment, in US cents. It is zero while the price is unknown. */
async function valuesOf(
  deps: HistoryDeps,
  { asset }: CoinPosition,
  entries: readonly BalanceAfter[],
  moments: readonly Date[],
): Promise<number[]> {
  const prices = await pricesAt(deps, asset, moments)
  let next = 0
  let amountMinor = 0
  return moments.map((moment, place) => {
    for (let entry = entries[next]; entry && entry.bookedAt <= moment; entry = entries[next]) {
      amountMinor = entry.balanceMinor
      next += 1
    }
    const price = prices[place]
    return price ? proceedsOf(asset, amountMinor, price.priceMicros) : 0
  })
}
