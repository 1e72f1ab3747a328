import type { Transaction } from 'kysely'
import { z } from 'zod'
import { MIN_BUY_MINOR, COIN_NAMES, MAX_RECURRING } from '#contract/crypto-terms.ts'
import type { RecurringBuy, RecurringRequest } from '#contract/crypto.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { COINS } from '#contract/markets.ts'
import type { NoticeParams } from '#contract/notices.ts'
import { paymentTime } from '#server/calendar/due-dates.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { bookTrade } from '#server/crypto/trading/booking.ts'
import { buyFor, priceFor } from '#server/crypto/trading/pricing.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { checkVerified } from '#server/limits/verification.ts'
import { pricesAt, tradingPrice } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { StandingOrderKind, StandingOrder } from '#server/standing-orders/kind.ts'
import {
  addOrder,
  changeOrder,
  everyOrderOf,
  lockStandingOrder,
  ordersOf,
  planNextRun,
  readStandingOrder,
} from '#server/standing-orders/orders.ts'
import { runDueBefore } from '#server/standing-orders/running.ts'

const terms = z.object({ asset: z.enum(COINS) })
type Terms = z.infer<typeof terms>
type BuyOrder = StandingOrder<Terms>

type Reason = NoticeParams['crypto_buy_skipped']['reason']

/** The refusals after which a date's buy is skipped, with the reason shown to the customer. */
const SKIPPED: Partial<Record<ErrorCode, Reason>> = {
  insufficient_funds: 'funds',
  trading_paused: 'paused',
  account_frozen: 'other',
  balance_limit_reached: 'other',
  market_limit_reached: 'other',
  amount_too_small: 'other',
  amount_too_large: 'other',
}

/** Weekly or monthly purchases of a coin for an amount in US cents, the fee included. */
export const recurringBuys: StandingOrderKind<Terms> = {
  name: 'coin_buy',
  terms,
  hour: 6,
  onBusinessDays: false,
  retries: false,
  room: { most: MAX_RECURRING, full: 'recurring_full' },
  // While the market is paused, a buy may wait until the end of its day.
  overdue: { name: 'recurring buys of coins that were neither made nor skipped', afterHours: 18 },
  isRefused: (code) => SKIPPED[code] !== undefined,
  perform: async (deps, order, { book }) => {
    try {
      const priceMicros = priceFor(deps.policy.crypto, 'buy', await priceOn(deps, order))
      await book((trx, customer) => buy(deps, trx, customer, { order, priceMicros }))
    } catch (error) {
      const isPaused = error instanceof Refusal && error.code === 'trading_paused'
      // The market may open again on the same day.
      if (isPaused && order.next_on === dayOf(deps.clock.businessNow())) return 'waits'
      throw error
    }
  },
  refused: async (deps, trx, order, { code }) => {
    const params = { ...noticeParams(order), reason: SKIPPED[code] ?? ('other' as const) }
    await notify(deps, trx, { customerId: order.customer_id, kind: 'crypto_buy_skipped', params })
  },
  upcoming: {
    kind: 'recurring_buy',
    names: async (_deps, _customer, orders) => orders.map((order) => order.terms.asset),
  },
}

const noticeParams = (order: BuyOrder) => ({
  name: COIN_NAMES[order.terms.asset],
  amountMinor: order.amount_minor,
  asset: 'USD' as const,
})

/**
 * Returns the market price for a date's buy. Normally this is the current price: if a past price applied, the customer could
 * look at it and then stop the buy. A sample bank may have moved its date past the buy's date. The price at the payment time of
 * that date then applies, if the buy was created before that time and the price was less than 24 hours old then. Throws
 * Refusal `trading_paused`.
 */
async function priceOn(
  deps: Deps,
  { terms: { asset }, next_on: date, created_at: createdAt }: BuyOrder,
): Promise<number> {
  const now = await tradingPrice(deps, asset)
  const moment = paymentTime(date)
  const isPutForward = deps.policy.prices === 'simulated' && date !== dayOf(deps.clock.businessNow())
  if (!isPutForward || createdAt >= moment) return now.priceMicros
  const [pastPrice] = await pricesAt(deps, asset, [moment])
  const isOfThatDay = pastPrice && moment.getTime() - pastPrice.at.getTime() < DAY_MS
  return isOfThatDay ? pastPrice.priceMicros : now.priceMicros
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
    ...derivedIdentity('crypto', id, `buy:${date}`),
    fingerprint: fingerprintOf('crypto.recurring', id, date),
  }
  await bookTrade(deps, trx, trader, { ...operation, kind: 'recurring', exchange })
  await notify(deps, trx, { customerId: trader.id, kind: 'crypto_bought', params: noticeParams(order) })
}

function recurringOf({
  id,
  terms: { asset },
  amount_minor: amountMinor,
  every,
  next_on: nextOn,
}: BuyOrder): RecurringBuy {
  // A recurring buy is weekly or monthly. The other intervals of standing orders do not occur here.
  return { id, asset, amountMinor, amountAsset: 'USD', every: every === 'week' ? 'week' : 'month', nextOn }
}

/** Returns a customer's recurring buys, in the order of their next dates. */
export async function recurringOfCustomer({ db }: Pick<Deps, 'db'>, customerId: string): Promise<RecurringBuy[]> {
  return (await ordersOf(db, recurringBuys, customerId)).map(recurringOf)
}

/** Yields every recurring buy that a customer ever had. */
export async function* exportRecurring({ db }: Pick<Deps, 'db'>, customerId: string) {
  for await (const order of everyOrderOf(db, recurringBuys, customerId)) {
    const status = order.status === 'cancelled' ? 'stopped' : order.status
    yield { ...recurringOf(order), status, createdAt: order.created_at.toISOString() }
  }
}

/**
 * Creates a recurring buy. A repeated request with the same key creates no second one. The balance is checked only on each
 * date. Throws Refusal `verification_required`, `amount_too_small`, `amount_too_large`, `schedule_date_invalid` and
 * `recurring_full`.
 */
export async function createRecurring(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: Customer,
  { asset, amountMinor, every, startsOn }: RecurringRequest,
  key: RequestKey,
): Promise<RecurringBuy> {
  checkVerified(deps, customer)
  if (amountMinor < MIN_BUY_MINOR) throw new Refusal('amount_too_small', 'amountMinor')
  if (amountMinor > deps.policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const newOrder = { customerId: customer.id, amountMinor, terms: { asset }, every, startsOn }
  const { result: id } = await runOnce(deps, key, (trx) => addOrder(deps, trx, recurringBuys, newOrder))
  return recurringOf(await readStandingOrder(deps.db, recurringBuys, customer.id, id))
}

/**
 * Stops a recurring buy. A repetition changes nothing. A buy that is already due is still made, because the customer may
 * already know its price. Throws Refusal `not_found`.
 */
export async function stopRecurring(deps: Deps, customerId: string, id: string): Promise<void> {
  await runDueBefore(deps, recurringBuys, customerId, id)
  await inTransaction(deps.db, async (trx) => {
    const order = await lockStandingOrder(trx, recurringBuys, customerId, id)
    if (order.status !== 'active') return
    await changeOrder(trx, order, { status: 'cancelled' })
    await planNextRun(trx, recurringBuys, customerId)
  })
}
