import { DAY_MS } from '#server/platform/durations.ts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { COIN_NAMES, MAX_ORDERS } from '#contract/crypto-terms.ts'
import type { Order, OrderRequest } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { coinAccount } from '#server/crypto/trading/position.ts'
import { buyFor, checkCeiling, sellOf } from '#server/crypto/trading/pricing.ts'
import { checkVerified } from '#server/limits/verification.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockCustomer, lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { BookedOperation, Leg, Operation } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

type OrderDeps = Pick<Deps, 'db' | 'ledger' | 'clock' | 'policy'>

const ordersQuery = (db: Kysely<Database>) => db.selectFrom('bank.crypto_order').selectAll()

export type CryptoOrderRow = Awaited<ReturnType<ReturnType<typeof ordersQuery>['executeTakeFirstOrThrow']>>

function orderOf(row: CryptoOrderRow): Order {
  return {
    id: row.id,
    side: row.side,
    asset: row.asset,
    amountMinor: row.amount_minor,
    amountAsset: row.side === 'buy' ? 'USD' : row.asset,
    limitMicros: row.limit_micros,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}

/** Returns one of a customer's orders. Throws Refusal `not_found`. */
export async function readCryptoOrder({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Order> {
  const row = await ordersQuery(db).where('id', '=', id).where('customer_id', '=', customerId).executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return orderOf(row)
}

/** Returns a customer's open orders, newest first. */
export async function listOpenCryptoOrders({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Order[]> {
  const rows = await ordersQuery(db)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'open')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(orderOf)
}

/** Reads a page of all orders that a customer ever placed, by id. `after` is the last order of the previous page. */
export async function exportCryptoOrders(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  after: string | null,
  limit: number,
) {
  const query = ordersQuery(db).where('customer_id', '=', customerId)
  const rows = await (after === null ? query : query.where('id', '>', after)).orderBy('id').limit(limit).execute()
  return rows.map((row) => ({
    ...orderOf(row),
    status: row.status,
    endedAt: row.ended_at?.toISOString() ?? null,
  }))
}

/**
 * Places a limit order and sets aside what it needs: the dollars of a purchase, fee included, or the coins of a sale. Throws
 * Refusal `verification_required`, `asset_mismatch`, `amount_too_small`, `amount_too_large`, `orders_full`, `coins_short`, and
 * the ledger's refusals.
 */
export async function placeCryptoOrder(
  deps: OrderDeps,
  customer: Customer,
  request: OrderRequest,
  { operationId: id, fingerprint }: RequestKey,
): Promise<BookedOperation> {
  checkVerified(deps, customer)
  checkOrder(deps, request)
  const bookedAt = deps.clock.businessNow()
  const setAside = deps.ledger.postWithRows({
    customerId: customer.id,
    async operation(trx) {
      await lockOpenCustomer(trx, customer.id)
      await makeRoom(trx, customer.id)
      return { id, fingerprint, kind: 'crypto.order', bookedAt, legs: [await holdFor(trx, customer, request)] }
    },
    also: (trx) => keepOrder(trx, customer.id, request, { id, createdAt: bookedAt }),
  })
  return setAside.catch((error: unknown) => {
    const isShort = error instanceof Refusal && error.code === 'insufficient_funds'
    if (isShort && request.side === 'sell') throw new Refusal('coins_short', 'amountMinor', { cause: error })
    throw error
  })
}

/**
 * Throws a Refusal if an order is too large, or too small to be filled at its limit. The order needs no check at a better
 * price.
 */
function checkOrder({ policy }: Pick<Deps, 'policy'>, request: OrderRequest): void {
  const { side, asset, amountMinor, amountAsset, limitMicros } = request
  if (amountAsset !== (side === 'buy' ? 'USD' : asset)) throw new Refusal('asset_mismatch', 'amountAsset')
  const exchange = side === 'buy' ? buyFor : sellOf
  checkCeiling({ policy }, exchange(policy.crypto, asset, amountMinor, limitMicros))
}

/** Throws Refusal `orders_full`. */
async function makeRoom(trx: Transaction<Database>, customerId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('bank.crypto_order')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('status', '=', sql.lit('open'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_ORDERS) throw new Refusal('orders_full')
}

/** Returns the hold of an order. Throws Refusal `coins_short` for a sale of coins that the customer never had. */
async function holdFor(
  trx: Transaction<Database>,
  customer: Customer,
  { side, asset, amountMinor }: OrderRequest,
): Promise<Leg> {
  const detail = { label: 'crypto.order', category: 'crypto' } as const
  if (side === 'buy') {
    const namedDetail = { ...detail, debitName: COIN_NAMES[asset] }
    return {
      kind: 'hold',
      debit: customer.currentAccountId,
      credit: bankAccount('market_maker'),
      amountMinor,
      detail: namedDetail,
    }
  }
  const coins = await coinAccount(trx, customer.id, asset)
  if (!coins) throw new Refusal('coins_short', 'amountMinor')
  return { kind: 'hold', debit: coins.id, credit: bankAccount('market_maker', asset), amountMinor, detail }
}

async function keepOrder(
  trx: Transaction<Database>,
  customerId: string,
  { side, asset, amountMinor, limitMicros, expiresInDays }: OrderRequest,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<void> {
  const expiresAt = expiresInDays === null ? null : new Date(createdAt.getTime() + expiresInDays * DAY_MS)
  const orderColumns = { id, customer_id: customerId, created_at: createdAt, expires_at: expiresAt }
  await trx
    .insertInto('bank.crypto_order')
    .values({ ...orderColumns, side, asset, amount_minor: amountMinor, limit_micros: limitMicros })
    .execute()
}

/** Locks an order until the SQL transaction ends. Locks the order's customer before the order. */
export async function lockCryptoOrder(
  trx: Transaction<Database>,
  customerId: string,
  id: string,
): Promise<CryptoOrderRow | null> {
  await lockCustomer(trx, customerId)
  const row = await ordersQuery(trx)
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Cancels an order and releases its hold. A repetition changes nothing. Throws Refusal `not_found`, and `order_over` for an
 * order that was filled or has expired.
 */
export async function cancelCryptoOrder(deps: OrderDeps, customerId: string, id: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockCryptoOrder(trx, customerId, id)
    if (!row) throw new Refusal('not_found')
    if (row.status === 'cancelled') return
    if (row.status !== 'open') throw new Refusal('order_over')
    await releaseCryptoOrder(deps, trx, row, 'cancelled')
  })
}

/** Ends an open order that was not filled. The caller has locked it. */
export async function releaseCryptoOrder(
  deps: Pick<Deps, 'ledger' | 'clock'>,
  trx: Transaction<Database>,
  { id }: CryptoOrderRow,
  status: 'cancelled' | 'expired',
): Promise<void> {
  const bookedAt = deps.clock.businessNow()
  const operation: Operation = {
    ...derivedIdentity('crypto', id, 'release'),
    fingerprint: fingerprintOf('crypto.release', id),
    kind: 'crypto.release',
    bookedAt,
    legs: [{ kind: 'void', holdId: id }],
  }
  await deps.ledger.postWithin(runIn(trx), [operation])
  await endCryptoOrder(trx, id, status, bookedAt)
}

export async function endCryptoOrder(
  trx: Transaction<Database>,
  id: string,
  status: Exclude<CryptoOrderRow['status'], 'open'>,
  endedAt: Date,
): Promise<void> {
  await trx.updateTable('bank.crypto_order').set({ status, ended_at: endedAt }).where('id', '=', id).execute()
}
