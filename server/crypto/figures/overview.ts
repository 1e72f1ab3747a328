import { DAY_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { MIN_BUY_MINOR } from '#contract/crypto-terms.ts'
import type { CryptoOverview, Holding } from '#contract/crypto.ts'
import { changeBpsOf, type Coin, COINS, proceedsOf } from '#contract/markets.ts'
import { ASSETS } from '#contract/money.ts'
import { listOpenCryptoOrders } from '#server/crypto/orders/orders.ts'
import { recurringOfCustomer } from '#server/crypto/recurring/recurring.ts'
import { type CoinPosition, positionsOf } from '#server/crypto/trading/position.ts'
import { mustVerify } from '#server/limits/verification.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type Account, accountsById } from '#server/ledger/accounts.ts'
import { averageCostMicros } from '#server/markets/average-cost.ts'
import { marketOf, pricesAt } from '#server/markets/prices.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type OverviewDeps = Pick<Deps, 'db' | 'clock' | 'policy' | 'prices'>

/** Returns all data of the crypto screen, as of now. */
export async function readOverview(deps: OverviewDeps, customer: Customer): Promise<CryptoOverview> {
  const positions = await positionsOf(deps, customer.id)
  const accounts = await accountsById(
    runIn(deps.db),
    positions.map(({ accountId }) => accountId),
  )
  const [orders, recurring, ...holdings] = await Promise.all([
    listOpenCryptoOrders(deps, customer.id),
    recurringOfCustomer(deps, customer.id),
    ...COINS.map((asset) => {
      const position = positions.find((candidate) => candidate.asset === asset)
      const account = accounts.find(({ id }) => id === position?.accountId)
      return holdingOf(deps, asset, position, account)
    }),
  ])
  const sum = (of: (holding: Holding) => number | null) => holdings.reduce((total, held) => total + (of(held) ?? 0), 0)
  const { spreadBps, feeBps, feeLeastMinor } = deps.policy.crypto
  return {
    holdings,
    totalMinor: sum(({ valueMinor }) => valueMinor),
    unrealisedMinor: sum(({ unrealisedMinor }) => unrealisedMinor),
    realisedMinor: sum(({ realisedMinor }) => realisedMinor),
    orders,
    recurring,
    mustVerify: mustVerify(deps, customer),
    terms: { spreadBps, feeBps, feeLeastMinor, buyLeastMinor: MIN_BUY_MINOR },
    today: dayOf(deps.clock.businessNow()),
  }
}

async function holdingOf(
  deps: OverviewDeps,
  asset: Coin,
  position: CoinPosition | undefined,
  account: Account | undefined,
): Promise<Holding> {
  const { status, price } = await marketOf(deps, asset)
  const [dayBefore] = price ? await pricesAt(deps, asset, [new Date(price.at.getTime() - DAY_MS)]) : []
  const amountMinor = account?.balanceMinor ?? 0
  const { costMinor = 0, realisedMinor = 0 } = position ?? {}
  const valueMinor = price ? proceedsOf(asset, amountMinor, price.priceMicros) : null
  return {
    asset,
    amountMinor,
    heldMinor: account?.heldMinor ?? 0,
    valueMinor,
    priceMicros: price?.priceMicros ?? null,
    pricedAt: price?.at.toISOString() ?? null,
    changeBps: price && dayBefore ? changeBpsOf(dayBefore.priceMicros, price.priceMicros) : null,
    market: status,
    averageCostMicros: averageCostMicros({ unitsMinor: amountMinor, costMinor, realisedMinor }, ASSETS[asset].decimals),
    costMinor,
    unrealisedMinor: valueMinor === null ? null : valueMinor - costMinor,
    realisedMinor,
  }
}
