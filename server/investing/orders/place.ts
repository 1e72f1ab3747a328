import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentOrderRequest } from '#contract/investing.ts'
import { type Fund, proceedsOf } from '#contract/markets.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { fundAccounts, openFundAccount } from '#server/investing/orders/accounts.ts'
import { countPending, PENDING_MOST } from '#server/investing/orders/order.ts'
import { checkAmount, unitsToSell } from '#server/investing/orders/preview.ts'
import { fundDetail, nextPricing } from '#server/investing/orders/terms.ts'
import { planNextRun } from '#server/investing/next-run.ts'
import { checkMayBuy } from '#server/investing/suitability.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Operation } from '#server/ledger/types.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

type PlaceDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'prices'>
type Investor = Pick<Customer, 'id' | 'verified' | 'currentAccountId'>
type Request<Side> = Extract<InvestmentOrderRequest, { side: Side }>

/** What a purchase is, whoever asks for it: the customer, or one of their plans. */
export type Purchase = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  customer: Pick<Customer, 'id' | 'currentAccountId'>
  fund: Fund
  amountMinor: number
  acceptsMismatch: boolean
  placedAt: Date
  /** The last price. */
  priceMicros: number
  plan?: { id: string; on: string }
}

/**
 * Sets the money of a purchase aside and keeps its order, in a SQL transaction that has locked the customer. Does nothing
 * where that was done before. Throws Refusal `market_limit_reached`, and what the ledger refuses.
 */
export async function placePurchase(
  deps: Pick<Deps, 'ledger' | 'clock' | 'policy'>,
  trx: Transaction<Database>,
  { customer, fund, amountMinor, acceptsMismatch, placedAt, priceMicros, plan, ...asked }: Purchase,
): Promise<void> {
  const pricedAt = nextPricing(placedAt)
  await openFundAccount(trx, customer.id, fund)
  const operation: Operation = {
    ...asked,
    kind: 'investing.buy',
    bookedAt: deps.clock.businessNow(),
    legs: [
      {
        kind: 'hold',
        debit: customer.currentAccountId,
        credit: bankAccount('market_maker'),
        amountMinor,
        detail: { ...fundDetail(fund), settlesAt: pricedAt },
      },
    ],
  }
  const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
  if (booked.replayed) return
  await trx
    .insertInto('bank.fund_order')
    .values({
      id: asked.id,
      customer_id: customer.id,
      side: 'buy',
      fund,
      amount_minor: amountMinor,
      accepts_mismatch: acceptsMismatch,
      placed_at: placedAt,
      priced_at: pricedAt,
      plan_id: plan?.id ?? null,
      plan_on: plan?.on ?? null,
    })
    .execute()
  await checkRoom(deps, trx, fund, priceMicros)
}

/**
 * Refuses to sell more of a fund than the bank lets all customers hold together, pending orders included. Comes after the
 * posting, which has locked the market maker's money: orders are counted one after the other. Throws Refusal
 * `market_limit_reached`.
 */
async function checkRoom(
  { policy }: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  fund: Fund,
  priceMicros: number,
): Promise<void> {
  const [issued] = await accountsById(runIn(trx), [bankAccount('market_maker', fund)])
  const { pending_minor: pendingMinor } = await trx
    .selectFrom('bank.fund_order')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount_minor'), fn.val(0)).as('pending_minor'))
    .where('fund', '=', fund)
    .where('status', '=', 'pending')
    .where('side', '=', 'buy')
    .executeTakeFirstOrThrow()
  // The market maker owes what customers hold: its own account is below zero by as much.
  const held = proceedsOf(fund, Math.max(0, -(issued?.balanceMinor ?? 0)), priceMicros)
  if (held + Number(pendingMinor) > policy.investing.fundMostMinor) throw new Refusal('market_limit_reached', 'amountMinor')
}

/** Throws Refusal `sign_in_required` for a customer who has closed at this moment, and `orders_full`. */
async function admitOrder(trx: Transaction<Database>, customerId: string): Promise<void> {
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
  if ((await countPending(trx, customerId)) >= PENDING_MOST) throw new Refusal('orders_full')
}

/**
 * Takes an order to buy for so many US cents, the fee included: the money is set aside until the fund's next price.
 * Throws Refusal `verification_needed`, `suitability_needed`, `risk_not_accepted`, `unsuitable_fund`,
 * `investment_too_small`, `amount_too_large`, `trading_paused`, `market_limit_reached`, `orders_full`, and what the ledger
 * refuses.
 */
export async function placeBuy(
  deps: PlaceDeps,
  customer: Investor,
  { fund, amountMinor, acceptsMismatch = false }: Request<'buy'>,
  { operationId: id, fingerprint }: RequestKey,
): Promise<void> {
  checkAmount(deps, amountMinor)
  await checkMayBuy(deps, customer, { fund, acceptsMismatch })
  const { priceMicros } = await tradingPrice(deps, fund)
  await inTransaction(deps.db, async (trx) => {
    await admitOrder(trx, customer.id)
    const placedAt = deps.clock.businessNow()
    const what = { customer, fund, amountMinor, acceptsMismatch, placedAt, priceMicros }
    await placePurchase(deps, trx, { id, fingerprint, ...what })
    await planNextRun(trx, deps, customer.id)
  })
}

/**
 * Takes an order to sell units, or all that are free to sell: they are set aside until the fund's next price. Throws
 * Refusal `units_short`, `units_too_few`, `trading_paused`, `orders_full`, and what the ledger refuses.
 */
export async function placeSell(
  deps: PlaceDeps,
  customer: Investor,
  { fund, unitsMinor }: Request<'sell'>,
  { operationId: id, fingerprint }: RequestKey,
): Promise<void> {
  const { priceMicros } = await tradingPrice(deps, fund)
  await inTransaction(deps.db, async (trx) => {
    await admitOrder(trx, customer.id)
    const account = (await fundAccounts(runIn(trx), customer.id)).get(fund)
    if (!account) throw new Refusal('units_short', 'unitsMinor')
    const { availableMinor } = account
    const amountMinor = unitsToSell(deps, unitsMinor, { availableMinor, priceMicros, fund })
    const placedAt = deps.clock.businessNow()
    const credit = bankAccount('market_maker', fund)
    const hold = { kind: 'hold' as const, debit: account.id, credit, amountMinor, detail: fundDetail(fund) }
    const operation = { id, fingerprint, kind: 'investing.sell', bookedAt: placedAt, legs: [hold] }
    const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
    if (booked.replayed) return
    const times = { placed_at: placedAt, priced_at: nextPricing(placedAt) }
    await trx
      .insertInto('bank.fund_order')
      .values({ id, customer_id: customer.id, side: 'sell', fund, units_minor: amountMinor, ...times })
      .execute()
    await planNextRun(trx, deps, customer.id)
  })
}
