import { sql } from 'kysely'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type Coin, COINS } from '#contract/markets.ts'
import {
  endCryptoOrder,
  lockCryptoOrder,
  type CryptoOrderRow,
  releaseCryptoOrder,
} from '#server/crypto/orders/orders.ts'
import { bookTrade } from '#server/crypto/trading/booking.ts'
import { buyFor, priceFor, sellOf } from '#server/crypto/trading/pricing.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { currentAccountOf } from '#server/identity/customers/customers.ts'

type PlacedOrder = { id: string; customerId: string }

const openQuery = ({ db }: Pick<Deps, 'db'>) => db.selectFrom('bank.crypto_order').where('status', '=', sql.lit('open'))

/** The price at which a customer can buy now, and the price at which they can sell, in millionths of a US dollar. */
type Offer = Record<CryptoOrderRow['side'], number>

/** Fills every open order whose limit the market has reached. While the market is paused, orders wait. */
async function fillOrders(deps: Deps): Promise<void> {
  for (const asset of COINS) {
    const offer = await offerOf(deps, asset)
    if (!offer) continue
    const reached = everyPage(
      (after: string | null) => reachedOrders(deps, asset, offer, after),
      ({ id }) => id,
    )
    for await (const placed of reached) {
      await seeTo(deps, placed, () => fillOrder(deps, placed, asset))
    }
  }
}

async function offerOf(deps: Pick<Deps, 'prices' | 'policy' | 'db'>, asset: Coin): Promise<Offer | null> {
  const openOrder = await openQuery(deps).select('id').where('asset', '=', asset).limit(1).executeTakeFirst()
  if (!openOrder) return null
  try {
    return await offerNow(deps, asset)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'trading_paused') return null
    throw error
  }
}

/** Throws Refusal `trading_paused`. */
async function offerNow(deps: Pick<Deps, 'prices' | 'policy'>, asset: Coin): Promise<Offer> {
  const { priceMicros } = await tradingPrice(deps, asset)
  const terms = deps.policy.crypto
  return { buy: priceFor(terms, 'buy', priceMicros), sell: priceFor(terms, 'sell', priceMicros) }
}

async function reachedOrders(
  deps: Pick<Deps, 'db'>,
  asset: Coin,
  offer: Offer,
  after: string | null,
): Promise<PlacedOrder[]> {
  let query = openQuery(deps)
    .select(['id', 'customer_id as customerId'])
    .where('asset', '=', asset)
    .where(({ or, and, eb }) =>
      or([
        and([eb('side', '=', 'buy'), eb('limit_micros', '>=', offer.buy)]),
        and([eb('side', '=', 'sell'), eb('limit_micros', '<=', offer.sell)]),
      ]),
    )
  if (after !== null) query = query.where('id', '>', after)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/**
 * Fills an order at the current market price. Does nothing if the order has ended or expired meanwhile, or if the price is no
 * longer within the order's limit. Throws Refusal `trading_paused`.
 */
async function fillOrder(deps: Deps, { id, customerId }: PlacedOrder, asset: Coin): Promise<void> {
  const currentAccountId = await currentAccountOf(deps.db, customerId)
  const now = deps.clock.businessNow()
  await inTransaction(deps.db, async (trx) => {
    const row = await lockCryptoOrder(trx, customerId, id)
    if (row?.status !== 'open' || (row.expires_at !== null && row.expires_at <= now)) return
    // The price is read after the lock is acquired, because an earlier price may have become too old during the wait.
    const offer = await offerNow(deps, asset)
    const { side, amount_minor: amountMinor, limit_micros: limitMicros } = row
    if (side === 'buy' ? offer.buy > limitMicros : offer.sell < limitMicros) return
    const exchange = (side === 'buy' ? buyFor : sellOf)(deps.policy.crypto, asset, amountMinor, offer[side])
    const operation = { ...derivedIdentity('crypto', id, 'fill'), fingerprint: fingerprintOf('crypto.fill', id) }
    const trader = { id: customerId, currentAccountId }
    await bookTrade(deps, trx, trader, { ...operation, kind: 'order', exchange, holdId: id })
    await endCryptoOrder(trx, id, 'filled', now)
    const params = { side, name: COIN_NAMES[asset], amountMinor: exchange.dollarsMinor, asset: 'USD' as const }
    await notify(deps, trx, { customerId, kind: 'crypto_order_filled', params })
  })
}

/** Releases the holds of expired orders. */
async function expireOrders(deps: Deps): Promise<void> {
  const now = deps.clock.businessNow()
  const expired = everyPage(
    (after: string | null) => expiredOrders(deps, now, after),
    ({ id }) => id,
  )
  for await (const expiredOrder of expired) {
    await seeTo(deps, expiredOrder, async () => {
      const { id, customerId } = expiredOrder
      await inTransaction(deps.db, async (trx) => {
        const row = await lockCryptoOrder(trx, customerId, id)
        if (row?.status !== 'open') return
        await releaseCryptoOrder(deps, trx, row, 'expired')
        const params = { side: row.side, name: COIN_NAMES[row.asset] }
        await notify(deps, trx, { customerId, kind: 'crypto_order_expired', params })
      })
    })
  }
}

async function expiredOrders(deps: Pick<Deps, 'db'>, now: Date, after: string | null): Promise<PlacedOrder[]> {
  let query = openQuery(deps).select(['id', 'customer_id as customerId']).where('expires_at', '<=', now)
  if (after !== null) query = query.where('id', '>', after)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/** Refusals with a temporary cause. After such a refusal the order stays open, and nothing is logged. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'trading_paused',
  'account_frozen',
  'balance_limit_reached',
  'market_limit_reached',
  'amount_too_large',
])

/** A failure of one order must not block the others. */
async function seeTo({ log }: Pick<Deps, 'log'>, { id }: PlacedOrder, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refusal && PASSING.has(error.code)) return
    log.error({ err: error, orderId: id }, 'a limit order could not be processed')
  }
}

export const ordersJob = defineRecurringJob({
  name: 'crypto.orders',
  everyMinutes: 1,
  byDate: true,
  isDue: async (deps) => (await openQuery(deps).select('id').limit(1).execute()).length > 0,
  work: async (deps) => {
    // Expired orders end first, so that no order is filled after its expiry.
    await expireOrders(deps)
    await fillOrders(deps)
  },
})

export const overdueCryptoOrders: WaitingMoney = {
  name: 'limit orders that have expired and still set money or coins aside',
  overdueSince: async (deps) => {
    const oldest = await openQuery(deps)
      .select(({ fn }) => fn.min('expires_at').as('at'))
      .where('expires_at', '<=', deps.clock.businessNow())
      .executeTakeFirst()
    return oldest?.at ?? null
  },
}
