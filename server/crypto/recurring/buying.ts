import { sql } from 'kysely'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { NoticeParams } from '#contract/notifications.ts'
import { planNextRun, RUN } from '#server/crypto/recurring/next-run.ts'
import { recurringNotices } from '#server/crypto/recurring/notices.ts'
import { afterDate, lockRecurring, recurringQuery, type RecurringRow } from '#server/crypto/recurring/recurring.ts'
import { bookTrade } from '#server/crypto/trading/booking.ts'
import { buyFor, priceFor } from '#server/crypto/trading/pricing.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { pricesAt, tradingPrice } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { DAY_MS, dayOf } from '#server/platform/days.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { WaitingMoney } from '#server/platform/slice.ts'
import { dueUpTo, paidFrom } from '#server/schedules/calendar.ts'

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

const dueQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db
    .selectFrom('bank.crypto_recurring')
    .where('status', '=', sql.lit('active'))
    .where('next_on', '<=', dueUpTo(clock.businessNow()))

/**
 * Makes a customer's buys that are due, each date that was missed too, oldest first. Done again, or twice at once, it makes
 * no date twice.
 */
export async function makeDueBuys(deps: Deps, customerId: string): Promise<void> {
  const waiting = new Set<string>()
  for (;;) {
    const due = await oldestDue(deps, customerId, waiting)
    if (!due) break
    if (!(await buyOrSkip(deps, due))) waiting.add(due.id)
  }
  await inTransaction(deps.db, async (trx) => {
    await lockCustomer(trx, customerId)
    await planNextRun(trx, customerId, waiting)
  })
}

function oldestDue(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  without: ReadonlySet<string>,
): Promise<RecurringRow | undefined> {
  let query = recurringQuery(db)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .where('bank.crypto_recurring.next_on', '<=', dueUpTo(clock.businessNow()))
  if (without.size > 0) query = query.where('id', 'not in', [...without])
  return query.orderBy('bank.crypto_recurring.next_on').orderBy('id').limit(1).executeTakeFirst()
}

/** Makes the buy of a date, or skips it and tells the customer. Answers false where it waits for its market to open. */
async function buyOrSkip(deps: Deps, due: RecurringRow): Promise<boolean> {
  try {
    const marketMicros = await priceOn(deps, due)
    await buy(deps, due, priceFor(deps.policy.crypto, 'buy', marketMicros))
  } catch (error) {
    const reason = error instanceof Refusal ? SKIPPED[error.code] : undefined
    if (!reason) throw error
    // A market may open again on the same day.
    if (reason === 'paused' && due.next_on === dayOf(deps.clock.businessNow())) return false
    await skip(deps, due, reason)
  }
  return true
}

/**
 * The market's price for a date: what it is now. A sample bank whose date was put forward past the date takes what it was
 * then, for a buy that was set up before; where real time passes, a price that has gone would let the customer choose between
 * it and stopping in time. Throws Refusal `trading_paused`.
 */
async function priceOn(deps: Deps, { asset, next_on: date, created_at: createdAt }: RecurringRow): Promise<number> {
  const now = await tradingPrice(deps, asset)
  const moment = paidFrom(date)
  const isPutForward = deps.policy.prices === 'simulated' && date !== dayOf(deps.clock.businessNow())
  if (!isPutForward || createdAt >= moment) return now.priceMicros
  const [then] = await pricesAt(deps, asset, [moment])
  const isOfThatDay = then && moment.getTime() - then.at.getTime() < DAY_MS
  return isOfThatDay ? then.priceMicros : now.priceMicros
}

async function buy(deps: Deps, due: RecurringRow, priceMicros: number): Promise<void> {
  const { id, customer_id: customerId, asset, next_on: date, amount_minor: amountMinor } = due
  const { current_account_id: currentAccountId } = await deps.db
    .selectFrom('bank.customer')
    .select('current_account_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  await onDate(deps, due, async (trx) => {
    const exchange = buyFor(deps.policy.crypto, asset, amountMinor, priceMicros)
    const operation = {
      ...derived('crypto', id, `buy:${date}`),
      fingerprint: fingerprintOf('crypto.recurring', id, date),
    }
    await bookTrade(deps, trx, { id: customerId, currentAccountId }, { ...operation, kind: 'recurring', exchange })
    const params = { name: COIN_NAMES[asset], amountMinor, asset: 'USD' as const }
    await notify(deps, trx, { customerId, ...recurringNotices.bought, params })
  })
}

async function skip(deps: Deps, due: RecurringRow, reason: Reason): Promise<void> {
  const { customer_id: customerId, asset, amount_minor: amountMinor } = due
  const params = { name: COIN_NAMES[asset], amountMinor, asset: 'USD' as const, reason }
  await onDate(deps, due, (trx) => notify(deps, trx, { customerId, ...recurringNotices.skipped, params }))
}

type InTransaction = Parameters<typeof inTransaction<void>>[1]

/** Does what a date asks for and goes on to the next, in one SQL transaction, unless somebody else has or it was stopped. */
async function onDate(deps: Deps, due: RecurringRow, work: InTransaction): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockRecurring(trx, due.customer_id, due.id)
    if (row?.status !== 'active' || row.next_on !== due.next_on) return
    await work(trx)
    await trx.updateTable('bank.crypto_recurring').set(afterDate(row)).where('id', '=', row.id).execute()
  })
}

export const dueBuysJob = defineJob({
  ...RUN,
  work: (deps: Deps, { customerId }: { customerId: string }) => makeDueBuys(deps, customerId),
})

/** Makes the recurring buys whose own job failed for good or was lost, and those whose market has opened again. */
export const recurringJob = defineRecurringJob({
  name: 'crypto.recurring',
  everyMinutes: 5,
  work: async (deps) => {
    const customers = everyPage(
      async (after: string | null) => {
        const query = dueQuery(deps).select('customer_id').distinct()
        const rest = after === null ? query : query.where('customer_id', '>', after)
        return rest.orderBy('customer_id').limit(PAGE_SIZE).execute()
      },
      (row) => row.customer_id,
    )
    for await (const { customer_id: customerId } of customers) {
      // One whose buys cannot be made must not keep the others.
      await makeDueBuys(deps, customerId).catch((error: unknown) =>
        deps.log.error({ err: error, customerId }, 'recurring buys that are due could not be made'),
      )
    }
  },
})

export const overdueBuys: WaitingMoney = {
  name: 'recurring buys of coins that were neither made nor skipped',
  overdueSince: async (deps) => {
    const row = await dueQuery(deps)
      .select(sql<string>`to_char(min(next_on), 'YYYY-MM-DD')`.as('oldest'))
      .executeTakeFirst()
    // While the market is paused, a date waits for the end of its day.
    const waitsUntil = row?.oldest ? new Date(Date.parse(row.oldest) + DAY_MS) : null
    return waitsUntil && waitsUntil <= deps.clock.businessNow() ? waitsUntil : null
  },
}
