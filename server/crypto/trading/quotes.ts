import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { QUOTE_SECONDS } from '#contract/crypto-terms.ts'
import type { Quote, QuoteRequest } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { bookTrade, type Trader } from '#server/crypto/trading/booking.ts'
import { coinAccount } from '#server/crypto/trading/position.ts'
import {
  buyFor,
  buyOf,
  checkCeiling,
  type PricedTrade,
  priceFor,
  sellFor,
  sellOf,
} from '#server/crypto/trading/pricing.ts'
import { checkVerified } from '#server/limits/verification.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import type { BookedOperation } from '#server/ledger/types.ts'
import { tradingPrice } from '#server/markets/prices.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'
import { isUuid } from '#server/platform/uuid.ts'

/**
 * The time for which a quote is stored after its expiry, in milliseconds. A trade that comes too late can then be refused with
 * the exact reason.
 */
const KEPT_MS = KEPT_FOR['bank.crypto_quote'].ms

type QuoteDeps = Pick<Deps, 'db' | 'clock' | 'policy' | 'prices'>

/**
 * Creates a quote, which guarantees its price for some seconds. Throws Refusal `verification_required`, `asset_mismatch`,
 * `amount_invalid`, `amount_too_small`, `amount_too_large`, `insufficient_funds`, `coins_short` and `trading_paused`.
 */
export async function makeQuote(deps: QuoteDeps, customer: Customer, request: QuoteRequest): Promise<Quote> {
  checkVerified(deps, customer)
  const { side, asset, amountAsset } = request
  if (amountAsset !== 'USD' && amountAsset !== asset) throw new Refusal('asset_mismatch', 'amountAsset')
  if (request.amountMinor === null && (side === 'buy' || amountAsset === 'USD'))
    throw new Refusal('amount_invalid', 'amountMinor')
  const coins = side === 'sell' ? ((await coinAccount(deps.db, customer.id, asset))?.availableMinor ?? 0) : 0
  const amountMinor = request.amountMinor ?? coins
  if (side === 'sell' && coins === 0) throw new Refusal('coins_short', 'amountMinor')
  const { priceMicros: marketMicros } = await tradingPrice(deps, asset)
  const priceMicros = priceFor(deps.policy.crypto, side, marketMicros)
  const exchange = WAYS[side][amountAsset === 'USD' ? 'dollars' : 'coins'](
    deps.policy.crypto,
    asset,
    amountMinor,
    priceMicros,
  )
  checkCeiling(deps, exchange)
  if (side === 'sell' && exchange.amountMinor > coins) throw new Refusal('coins_short', 'amountMinor')
  if (side === 'buy') await checkFunds(deps, customer, exchange)
  return keepQuote(deps, customer.id, exchange, marketMicros)
}

const WAYS = {
  buy: { dollars: buyFor, coins: buyOf },
  sell: { dollars: sellFor, coins: sellOf },
} as const

/**
 * Throws Refusal `insufficient_funds`. The ledger would refuse the trade too, but the customer would learn it only when they
 * accept the quote.
 */
async function checkFunds({ db }: Pick<Deps, 'db'>, customer: Customer, { dollarsMinor }: PricedTrade): Promise<void> {
  const [current] = await accountsById(runIn(db), [customer.currentAccountId])
  if ((current?.availableMinor ?? 0) < dollarsMinor) throw new Refusal('insufficient_funds', 'amountMinor')
}

async function keepQuote(
  { db, clock }: QuoteDeps,
  customerId: string,
  exchange: PricedTrade,
  marketMicros: number,
): Promise<Quote> {
  const id = randomUUID()
  const quotedAt = clock.realNow()
  const expiryAfter = (from: Date) => new Date(from.getTime() + QUOTE_SECONDS * 1000)
  const expiresAt = expiryAfter(quotedAt)
  const { side, asset, amountMinor, dollarsMinor, feeMinor, priceMicros } = exchange
  await db
    .insertInto('bank.crypto_quote')
    .values({
      id,
      customer_id: customerId,
      side,
      asset,
      amount_minor: amountMinor,
      dollars_minor: dollarsMinor,
      fee_minor: feeMinor,
      price_micros: priceMicros,
      quoted_at: quotedAt,
      expires_at: expiresAt,
      business_expires_at: expiryAfter(clock.businessNow()),
    })
    .execute()
  return {
    id,
    ...exchange,
    marketMicros,
    quotedAt: quotedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    seconds: QUOTE_SECONDS,
  }
}

const quoteQuery = (db: Deps['db'], customerId: string, quoteId: string) =>
  db.selectFrom('bank.crypto_quote').selectAll().where('id', '=', quoteId).where('customer_id', '=', customerId)

type QuoteRow = Awaited<ReturnType<ReturnType<typeof quoteQuery>['executeTakeFirstOrThrow']>>

/**
 * Trades exactly as quoted. Throws Refusal `not_found` for another customer's quote, `verification_required`, `trading_paused`
 * if the market has closed meanwhile, `quote_used`, `quote_expired`, `coins_short`, `market_limit_reached`, and the ledger's
 * refusals.
 */
export async function tradeAtQuote(
  deps: QuoteDeps & Pick<Deps, 'ledger'>,
  customer: Customer,
  quoteId: string,
  key: RequestKey,
): Promise<BookedOperation> {
  checkVerified(deps, customer)
  const id = quoteId.toLowerCase()
  const quote = isUuid(id) ? await quoteQuery(deps.db, customer.id, id).executeTakeFirst() : undefined
  if (!quote) throw new Refusal('not_found')
  await tradingPrice(deps, quote.asset)
  return inTransaction(deps.db, async (trx) => {
    await lockOpenCustomer(trx, customer.id)
    const row = await quoteQuery(trx, customer.id, id).forNoKeyUpdate().executeTakeFirst()
    if (!row) throw new Refusal('not_found')
    checkQuote(deps, row)
    return bookQuote(deps, trx, customer, row, key)
  })
}

/** Throws Refusal `quote_used` and `quote_expired`. */
function checkQuote({ clock }: Pick<Deps, 'clock'>, row: QuoteRow): void {
  if (row.operation_id !== null) throw new Refusal('quote_used')
  if (clock.realNow() >= row.expires_at || clock.businessNow() >= row.business_expires_at)
    throw new Refusal('quote_expired')
}

async function bookQuote(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  trx: Transaction<Database>,
  trader: Trader,
  row: QuoteRow,
  { operationId, fingerprint }: RequestKey,
): Promise<BookedOperation> {
  const exchange: PricedTrade = {
    side: row.side,
    asset: row.asset,
    amountMinor: row.amount_minor,
    dollarsMinor: row.dollars_minor,
    feeMinor: row.fee_minor,
    priceMicros: row.price_micros,
  }
  const booked = await bookTrade(deps, trx, trader, {
    id: operationId,
    fingerprint,
    kind: 'quote',
    exchange,
  })
  if (!booked.replayed)
    await trx.updateTable('bank.crypto_quote').set({ operation_id: operationId }).where('id', '=', row.id).execute()
  return booked
}

export const purgeQuotesJob = defineRecurringJob({
  name: 'crypto.purge_quotes',
  everyMinutes: 60,
  work: async ({ db, clock }) => {
    const before = new Date(clock.realNow().getTime() - KEPT_MS)
    await db.deleteFrom('bank.crypto_quote').where('expires_at', '<', before).execute()
  },
})
