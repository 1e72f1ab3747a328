import type { Transaction } from 'kysely'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { type CoinPosition, keepCost, openPosition } from '#server/crypto/trading/position.ts'
import type { Exchange } from '#server/crypto/trading/pricing.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Booked, Detail, Leg, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** How a trade came about: by a quote, a limit order or a recurring buy. */
export type TradeKind = 'quote' | 'order' | 'recurring'

export type Trader = { id: string; currentAccountId: AccountId }

export type Booking = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  kind: TradeKind
  exchange: Exchange
  /** What was set aside for it. */
  holdId?: string
}

/** What the lines of a trade say: the current account's names the coin. */
function tradeDetail({ side, asset }: Pick<Exchange, 'side' | 'asset'>): Detail {
  const name = COIN_NAMES[asset]
  return side === 'buy'
    ? { debitName: name, label: 'crypto.bought', category: 'crypto' }
    : { creditName: name, label: 'crypto.sold', category: 'crypto' }
}

type Between = { exchange: Exchange; current: AccountId; coins: AccountId; holdId?: string | undefined }

/** A trade against the market maker: dollars, fee and coins in one operation. */
export function tradeLegs({ exchange, current, coins, holdId }: Between): Leg[] {
  const { side, asset, amountMinor, dollarsMinor, feeMinor } = exchange
  const [cashMaker, coinMaker] = [bankAccount('market_maker'), bankAccount('market_maker', asset)]
  const detail = tradeDetail(exchange)
  const coinDetail: Detail = { label: side === 'buy' ? 'crypto.bought' : 'crypto.sold', category: 'crypto' }
  const move = (debit: AccountId, credit: AccountId, moved: number, said: Detail): Leg => ({
    kind: 'transfer',
    debit,
    credit,
    amountMinor: moved,
    detail: said,
  })
  const fee = move(current, bankAccount('fees'), feeMinor, { label: 'crypto.fee', category: 'crypto' })
  // Of a sale it comes out of what the coins bring; of a limit order it was set aside.
  const isCovered = side === 'sell' || holdId !== undefined
  const fees = feeMinor > 0 ? [{ ...fee, ...(isCovered && { despiteDebt: true as const }) }] : []
  if (side === 'buy') {
    const forCoins = dollarsMinor - feeMinor
    const paid: Leg = holdId
      ? { kind: 'post', holdId, amountMinor: forCoins, detail }
      : move(current, cashMaker, forCoins, detail)
    return [paid, ...fees, move(coinMaker, coins, amountMinor, coinDetail)]
  }
  const sold: Leg = holdId
    ? { kind: 'post', holdId, amountMinor, detail: coinDetail }
    : move(coins, coinMaker, amountMinor, coinDetail)
  return [sold, move(cashMaker, current, dollarsMinor + feeMinor, detail), ...fees]
}

/**
 * Books a trade and keeps it, in the caller's SQL transaction, which has locked the customer. Throws Refusal `coins_short`,
 * `market_limit_reached`, and what the ledger refuses.
 */
export async function bookTrade(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  trx: Transaction<Database>,
  trader: Trader,
  { kind, exchange, holdId, ...operation }: Booking,
): Promise<Booked> {
  const position = await openPosition(trx, trader.id, exchange.asset)
  const bookedAt = deps.clock.businessNow()
  const legs = tradeLegs({ exchange, current: trader.currentAccountId, coins: position.accountId, holdId })
  const booked = await post(deps, trx, { ...operation, kind: `crypto.${exchange.side}`, bookedAt, legs })
  if (booked.replayed) return booked
  await keepTrades(trx, trader.id, [{ id: booked.id, kind, exchange, bookedAt }])
  await keepCost(trx, trader.id, position, heldBefore(booked, position), exchange)
  return booked
}

async function post(deps: Pick<Deps, 'ledger'>, trx: Transaction<Database>, operation: Operation): Promise<Booked> {
  try {
    const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
    return booked
  } catch (error) {
    // The dollars of a sale come from the bank: what is missing is coins.
    const isShort = error instanceof Refusal && error.code === 'insufficient_funds'
    if (isShort && operation.kind === 'crypto.sell') throw new Refusal('coins_short', undefined, { cause: error })
    throw error
  }
}

/** How many coins there were before the trade. */
function heldBefore({ legs }: Booked, { accountId }: CoinPosition): number {
  for (const leg of legs) {
    if (leg.debit === accountId) return Number(leg.debitBalanceMinor ?? 0n) + leg.amountMinor
    if (leg.credit === accountId) return Number(leg.creditBalanceMinor ?? 0n) - leg.amountMinor
  }
  throw new Error('A trade moved no coins')
}

type NewTrade = { id: string; kind: TradeKind; exchange: Exchange; bookedAt: Date }

/** Keeps trades in the order given. */
export async function keepTrades(
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
