import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { InvestmentOrderRequest } from '#contract/investing.ts'
import { type Fund, unitsFor } from '#contract/markets.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { fundAccounts, openFundAccount } from '#server/investing/orders/accounts.ts'
import { countPending, MAX_PENDING } from '#server/investing/orders/order.ts'
import { checkAmount, unitsToSell } from '#server/investing/orders/preview.ts'
import { fundDetail } from '#server/investing/orders/terms.ts'
import { planNextFill } from '#server/investing/orders/next-fill.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { nextPricing } from '#server/markets/feed/pricing-hours.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

type PlaceDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy' | 'prices'>
type Investor = Pick<Customer, 'id' | 'verified' | 'currentAccountId'>
type Request<Side> = Extract<InvestmentOrderRequest, { side: Side }>

/** A purchase. The customer or one of the customer's plans places it. */
export type FundPurchase = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  customer: Pick<Customer, 'id' | 'currentAccountId'>
  fund: Fund
  amountMinor: number
  acceptsMismatch: boolean
  placedAt: Date
  /** The latest price, in millionths of a US dollar. */
  priceMicros: number
  plan?: { id: string; on: string }
}

/**
 * Sets the money for a purchase aside and stores its order. The caller's SQL transaction has locked the customer. A repetition
 * changes nothing. Throws Refusal `balance_limit_reached`, `market_limit_reached`, and the ledger's refusals.
 */
export async function placePurchase(
  deps: Pick<Deps, 'ledger' | 'clock' | 'policy'>,
  trx: Transaction<Database>,
  { customer, fund, amountMinor, acceptsMismatch, placedAt, priceMicros, plan, ...terms }: FundPurchase,
): Promise<void> {
  const pricedAt = nextPricing(placedAt)
  const unitsId = await openFundAccount(trx, customer.id, fund)
  const operation: Operation = {
    ...terms,
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
      id: terms.id,
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
  await checkRoom(deps, trx, { fund, priceMicros, unitsId, customerId: customer.id })
}

type Room = { fund: Fund; priceMicros: number; unitsId: AccountId; customerId: string }

/**
 * Checks two limits: one customer's holding of a fund, and the holdings of all customers together. Pending purchases count at
 * the last price. The posting before this check has locked the market maker's account, so orders are checked one after the
 * other. Prices may change before the order is filled; the ledger then checks the limits again. Throws Refusal
 * `balance_limit_reached` and `market_limit_reached`.
 */
async function checkRoom(
  { policy }: Pick<Deps, 'policy'>,
  trx: Transaction<Database>,
  { fund, priceMicros, unitsId, customerId }: Room,
): Promise<void> {
  const issuer = bankAccount('market_maker', fund)
  const accounts = await accountsById(runIn(trx), [issuer, unitsId])
  const balanceOf = (accountId: AccountId) => accounts.find(({ id }) => id === accountId)?.balanceMinor ?? 0
  const { own: ownPendingMinor } = await trx
    .selectFrom('bank.fund_order')
    .select(({ fn }) => fn.sum<number | null>('amount_minor').as('own'))
    .where('customer_id', '=', customerId)
    .where('fund', '=', fund)
    .where('status', '=', 'pending')
    .where('side', '=', 'buy')
    .executeTakeFirstOrThrow()
  // The total of all pending purchases. The database updates it with each order, so it already contains this order.
  const { amount_minor: allPendingMinor } = await trx
    .selectFrom('bank.fund_pending')
    .select('amount_minor')
    .where('fund', '=', fund)
    .executeTakeFirstOrThrow()
  const heldUnits = balanceOf(unitsId) + unitsFor(fund, ownPendingMinor ?? 0, priceMicros)
  if (heldUnits > policy.markets.holdingMinor[fund]) throw new Refusal('balance_limit_reached', 'amountMinor')
  // The market maker's balance is negative by the number of units that all customers hold.
  const issuedUnits = unitsFor(fund, allPendingMinor, priceMicros) - balanceOf(issuer)
  if (issuedUnits > policy.markets.exposureMinor[fund]) throw new Refusal('market_limit_reached', 'amountMinor')
}

/** Throws Refusal `sign_in_required` if the customer closes at the same moment, and `orders_full`. */
async function admitOrder(trx: Transaction<Database>, customerId: string): Promise<void> {
  await lockOpenCustomer(trx, customerId)
  if ((await countPending(trx, customerId)) >= MAX_PENDING) throw new Refusal('orders_full')
}

/**
 * Places an order to buy for an amount in US cents, the fee included. The money is set aside until the fund's next price.
 * Throws Refusal `verification_required`, `suitability_needed`, `risk_not_accepted`, `unsuitable_fund`, `investment_too_small`,
 * `amount_too_large`, `trading_paused`, `sign_in_required`, `orders_full`, and the refusals of `placePurchase`.
 */
export async function placeBuy(
  deps: PlaceDeps,
  customer: Investor,
  { fund, amountMinor, acceptsMismatch: accepts }: Request<'buy'>,
  { operationId: id, fingerprint }: RequestKey,
): Promise<void> {
  const acceptsMismatch = accepts === true
  checkAmount(deps, amountMinor)
  await checkMayBuy(deps, customer, { fund, acceptsMismatch })
  const { priceMicros } = await tradingPrice(deps, fund)
  await inTransaction(deps.db, async (trx) => {
    await admitOrder(trx, customer.id)
    const placedAt = deps.clock.businessNow()
    const placement = { customer, fund, amountMinor, acceptsMismatch, placedAt, priceMicros }
    await placePurchase(deps, trx, { id, fingerprint, ...placement })
    await planNextFill(trx, deps, customer.id)
  })
}

/**
 * Places an order to sell some units, or all units that are available. The units are set aside until the fund's next price.
 * Throws Refusal `units_short`, `units_too_few`, `trading_paused`, `sign_in_required`, `orders_full`, and the ledger's
 * refusals.
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
    await planNextFill(trx, deps, customer.id)
  })
}
