import type { Transaction } from 'kysely'
import { z } from 'zod'
import { BUY_LEAST_MINOR, COIN_NAMES, RECURRING_MOST } from '#contract/crypto-terms.ts'
import type { RecurringBuy, RecurringRequest } from '#contract/crypto.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { COINS } from '#contract/markets.ts'
import type { NoticeParams } from '#contract/notices.ts'
import { paidFrom } from '#server/calendar/due-dates.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { bookTrade } from '#server/crypto/trading/booking.ts'
import { buyFor, priceFor } from '#server/crypto/trading/pricing.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { checkVerified } from '#server/limits/verified.ts'
import { pricesAt, tradingPrice } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import type { OrderKind, StandingOrder } from '#server/standing-orders/kind.ts'
import {
  addOrder,
  changeOrder,
  everyOrderOf,
  lockOrder,
  ordersOf,
  planNextRun,
  readOrder,
} from '#server/standing-orders/orders.ts'
import { runBefore } from '#server/standing-orders/running.ts'

const terms = z.object({ asset: z.enum(COINS) })
type Terms = z.infer<typeof terms>
type BuyOrder = StandingOrder<Terms>

type Reason = NoticeParams['crypto_buy_skipped']['reason']

/** What keeps a date's buy from being made, and what the customer reads of it. */
const SKIPPED: Partial<Record<ErrorCode, Reason>> = {
  insufficient_funds: 'funds',
  trading_paused: 'paused',
  account_frozen: 'other',
  balance_limit_reached: 'other',
  market_limit_reached: 'other',
  amount_too_small: 'other',
  amount_too_large: 'other',
}

/** Buys of a coin for so many US cents, the fee included, every week or month. */
export const recurringBuys: OrderKind<Terms> = {
  name: 'coin_buy',
  terms,
  hour: 6,
  onBusinessDays: false,
  retries: false,
  room: { most: RECURRING_MOST, full: 'recurring_full' },
  // While the market is paused, a date waits for the end of its day.
  overdue: { name: 'recurring buys of coins that were neither made nor skipped', afterHours: 18 },
  isRefused: (code) => SKIPPED[code] !== undefined,
  perform: async (deps, order, { book }) => {
    try {
      const priceMicros = priceFor(deps.policy.crypto, 'buy', await priceOn(deps, order))
      await book((trx, customer) => buy(deps, trx, customer, { order, priceMicros }))
    } catch (error) {
      const isPaused = error instanceof Refusal && error.code === 'trading_paused'
      // A market may open again on the same day.
      if (isPaused && order.next_on === dayOf(deps.clock.businessNow())) return 'waits'
      throw error
    }
  },
  refused: async (deps, trx, order, { code }) => {
    const params = { ...told(order), reason: SKIPPED[code] ?? ('other' as const) }
    await notify(deps, trx, { customerId: order.customer_id, kind: 'crypto_buy_skipped', params })
  },
  upcoming: {
    kind: 'recurring_buy',
    names: async (_deps, _customer, orders) => orders.map((order) => order.terms.asset),
  },
}

const told = (order: BuyOrder) => ({
  name: COIN_NAMES[order.terms.asset],
  amountMinor: order.amount_minor,
  asset: 'USD' as const,
})

/**
 * The market's price for a date: what it is now. A sample bank whose date was put forward past the date takes what it was
 * then, for a buy that was set up before; where real time passes, a price that has gone would let the customer choose between
 * it and stopping in time. Throws Refusal `trading_paused`.
 */
async function priceOn(
  deps: Deps,
  { terms: { asset }, next_on: date, created_at: createdAt }: BuyOrder,
): Promise<number> {
  const now = await tradingPrice(deps, asset)
  const moment = paidFrom(date)
  const isPutForward = deps.policy.prices === 'simulated' && date !== dayOf(deps.clock.businessNow())
  if (!isPutForward || createdAt >= moment) return now.priceMicros
  const [then] = await pricesAt(deps, asset, [moment])
  const isOfThatDay = then && moment.getTime() - then.at.getTime() < DAY_MS
  return isOfThatDay ? then.priceMicros : now.priceMicros
}

async function buy(
  deps: Deps,
  trx: Transaction<Database>,
  trader: Pick<Customer, 'id' | 'currentAccountId'>,
  { order, priceMicros }: { order: BuyOrder; priceMicros: number },
): Promise<void> {
  const { id, next_on: date } = order
  const exchange = buyFor(deps.policy.crypto, order.terms.asset, order.amount_minor, priceMicros)
  const operation = {
    ...derived('crypto', id, `buy:${date}`),
    fingerprint: fingerprintOf('crypto.recurring', id, date),
  }
  await bookTrade(deps, trx, trader, { ...operation, kind: 'recurring', exchange })
  await notify(deps, trx, { customerId: trader.id, kind: 'crypto_bought', params: told(order) })
}

function recurringOf({
  id,
  terms: { asset },
  amount_minor: amountMinor,
  every,
  next_on: nextOn,
}: BuyOrder): RecurringBuy {
  // No buy is made once.
  return { id, asset, amountMinor, amountAsset: 'USD', every: every === 'week' ? 'week' : 'month', nextOn }
}

/** A customer's recurring buys, in the order of their next date. */
export async function recurringOfCustomer({ db }: Pick<Deps, 'db'>, customerId: string): Promise<RecurringBuy[]> {
  return (await ordersOf(db, recurringBuys, customerId)).map(recurringOf)
}

/** Every recurring buy that a customer ever had. */
export async function* exportedRecurring({ db }: Pick<Deps, 'db'>, customerId: string) {
  for await (const order of everyOrderOf(db, recurringBuys, customerId)) {
    const status = order.status === 'cancelled' ? 'stopped' : order.status
    yield { ...recurringOf(order), status, createdAt: order.created_at.toISOString() }
  }
}

/**
 * Sets up a recurring buy, once for its key. Whether there is money is asked on each date. Throws Refusal
 * `verification_required`, `amount_too_small`, `amount_too_large`, `schedule_date_invalid` and `recurring_full`.
 */
export async function createRecurring(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: Customer,
  { asset, amountMinor, every, startsOn }: RecurringRequest,
  key: RequestKey,
): Promise<RecurringBuy> {
  checkVerified(deps, customer)
  if (amountMinor < BUY_LEAST_MINOR) throw new Refusal('amount_too_small', 'amountMinor')
  if (amountMinor > deps.policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const asked = { customerId: customer.id, amountMinor, terms: { asset }, every, startsOn }
  const { result: id } = await once(deps, key, (trx) => addOrder(deps, trx, recurringBuys, asked))
  return recurringOf(await readOrder(deps.db, recurringBuys, customer.id, id))
}

/**
 * Stops a recurring buy; again changes nothing. Dates that are due are bought all the same: their price may be known. Throws
 * Refusal `not_found`.
 */
export async function stopRecurring(deps: Deps, customerId: string, id: string): Promise<void> {
  await runBefore(deps, recurringBuys, customerId, id)
  await inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, recurringBuys, customerId, id)
    if (order.status !== 'active') return
    await changeOrder(trx, order, { status: 'cancelled' })
    await planNextRun(trx, recurringBuys, customerId)
  })
}
