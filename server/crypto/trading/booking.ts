import type { Transaction } from 'kysely'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { type CoinPosition, updateCost, openPosition } from '#server/crypto/trading/position.ts'
import type { PricedTrade } from '#server/crypto/trading/pricing.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, BookedOperation, Detail, Leg, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** The origin of a trade: a quote, a limit order or a recurring buy. */
export type TradeKind = 'quote' | 'order' | 'recurring'

export type Trader = { id: string; currentAccountId: AccountId }

export type Booking = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  kind: TradeKind
  exchange: PricedTrade
  /** The hold that a limit order has placed for the trade. */
  holdId?: string
}

/** Returns the texts of a trade's statement lines. The line in the current account names the coin. */
function tradeDetail({ side, asset }: Pick<PricedTrade, 'side' | 'asset'>): Detail {
  const name = COIN_NAMES[asset]
  return side === 'buy'
    ? { debitName: name, label: 'crypto.bought', category: 'crypto' }
    : { creditName: name, label: 'crypto.sold', category: 'crypto' }
}

type Between = { exchange: PricedTrade; current: AccountId; coins: AccountId; holdId?: string | undefined }

/** Returns the ledger legs of a trade with the market maker. One operation moves the dollars, the fee and the coins. */
export function tradeLegs({ exchange, current, coins, holdId }: Between): Leg[] {
  const { side, asset, amountMinor, dollarsMinor, feeMinor } = exchange
  const [cashMaker, coinMaker] = [bankAccount('market_maker'), bankAccount('market_maker', asset)]
  const detail = tradeDetail(exchange)
  const coinDetail: Detail = { label: side === 'buy' ? 'crypto.bought' : 'crypto.sold', category: 'crypto' }
  const move = (debit: AccountId, credit: AccountId, movedMinor: number, legDetail: Detail): Leg => ({
    kind: 'transfer',
    debit,
    credit,
    amountMinor: movedMinor,
    detail: legDetail,
  })
  const fee = move(current, bankAccount('fees'), feeMinor, { label: 'crypto.fee', category: 'crypto' })
  // The customer can always pay the fee of a sale from its proceeds. The hold of a limit order includes the fee.
  const isCovered = side === 'sell' || holdId !== undefined
  const fees = feeMinor > 0 ? [{ ...fee, ...(isCovered && { despiteDebt: true as const }) }] : []
  if (side === 'buy') {
    const forCoins = dollarsMinor - feeMinor
    const payment: Leg = holdId
      ? { kind: 'post', holdId, amountMinor: forCoins, detail }
      : move(current, cashMaker, forCoins, detail)
    return [payment, ...fees, move(coinMaker, coins, amountMinor, coinDetail)]
  }
  const sale: Leg = holdId
    ? { kind: 'post', holdId, amountMinor, detail: coinDetail }
    : move(coins, coinMaker, amountMinor, coinDetail)
  return [sale, move(cashMaker, current, dollarsMinor + feeMinor, detail), ...fees]
}

/**
 * Books and stores a trade in the caller's SQL transaction, which has locked the customer. Throws Refusal `coins_short`,
 * `market_limit_reached`, and the ledger's refusals.
 */
export async function bookTrade(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  trx: Transaction<Database>,
  trader: Trader,
  { kind, exchange, holdId, ...operation }: Booking,
): Promise<BookedOperation> {
  const position = await openPosition(trx, trader.id, exchange.asset)
  const bookedAt = deps.clock.businessNow()
  const legs = tradeLegs({ exchange, current: trader.currentAccountId, coins: position.accountId, holdId })
  const booked = await post(deps, trx, { ...operation, kind: `crypto.${exchange.side}`, bookedAt, legs })
  if (booked.replayed) return booked
  await insertTrades(trx, trader.id, [{ id: booked.id, kind, exchange, bookedAt }])
  await updateCost(trx, trader.id, position, heldBefore(booked, position), exchange)
  return booked
}

async function post(
  deps: Pick<Deps, 'ledger'>,
  trx: Transaction<Database>,
  operation: Operation,
): Promise<BookedOperation> {
  try {
    const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
    return booked
  } catch (error) {
    // In a sale the bank pays the dollars, so the refusal can only mean that the customer has too few coins.
    const isShort = error instanceof Refusal && error.code === 'insufficient_funds'
    if (isShort && operation.kind === 'crypto.sell') throw new Refusal('coins_short', undefined, { cause: error })
    throw error
  }
}

/** Returns the customer's number of coins before the trade, in minor units. */
function heldBefore({ legs }: BookedOperation, { accountId }: CoinPosition): number {
  for (const leg of legs) {
    if (leg.debit === accountId) return Number(leg.debitBalanceMinor ?? 0n) + leg.amountMinor
    if (leg.credit === accountId) return Number(leg.creditBalanceMinor ?? 0n) - leg.amountMinor
  }
  throw new Error('A trade moved no coins')
}

type NewTrade = { id: string; kind: TradeKind; exchange: PricedTrade; bookedAt: Date }

/** Stores trades in the given order. */
export async function insertTrades(
  trx: Transaction<Database>,
  customerId: string,
  trades: readonly NewTrade[],
): Promise<void> {
  await trx
    .insertInto('bank.crypto_trade')
    .values(
      trades.map(({ id, kind, bookedAt, exchange }) => ({
        operation_id: id,
        customer_id: customerId,
        side: exchange.side,
        asset: exchange.asset,
        amount_minor: exchange.amountMinor,
        dollars_minor: exchange.dollarsMinor,
        fee_minor: exchange.feeMinor,
        price_micros: exchange.priceMicros,
        kind,
        booked_at: bookedAt,
      })),
    )
    .execute()
}
