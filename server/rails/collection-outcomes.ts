import { hasClosed } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { giveBackLimitUse } from '#server/limits/unverified-limits.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/take-or-owe.ts'
import {
  clearingAccount,
  type CollectionRow,
  type OverdueCollection,
  detailOf,
  lockCollection,
  returnDetailOf,
} from '#server/rails/collections.ts'
import { recordEvent } from '#server/rails/record-event.ts'
import type { CollectionEvent } from '#server/rails/event.ts'

type Trx = Transaction<Database>

/** The dependencies of the outcomes. */
type RailDeps = OwedDeps & Pick<Deps, 'config' | 'db'>

type Purpose = 'settle' | 'fail' | 'late' | 'return'

/**
 * Returns the operation of one outcome of a collection. Its id is derived from the collection's, so the ledger books it once.
 */
const operationOf = (deps: RailDeps, { operation_id }: CollectionRow, purpose: Purpose) => ({
  ...derivedIdentity('rails', operation_id, purpose),
  kind: `top_up.${purpose}`,
  fingerprint: fingerprintOf(`top_up.${purpose}`, operation_id),
  bookedAt: deps.clock.businessNow(),
})

async function book(deps: RailDeps, trx: Trx, collection: CollectionRow, purpose: Purpose, leg: Leg): Promise<void> {
  const detail = purpose === 'return' ? returnDetailOf(collection) : detailOf(collection)
  await deps.ledger.postWithin(runIn(trx), [{ ...operationOf(deps, collection, purpose), legs: [{ ...leg, detail }] }])
}

async function close(trx: Trx, { operation_id }: CollectionRow, status: CollectionRow['status']): Promise<void> {
  await trx
    .updateTable('bank.collection')
    .set({ status, source: null })
    .where('operation_id', '=', operation_id)
    .execute()
}

function notifyOutcome(
  deps: RailDeps,
  trx: Trx,
  collection: CollectionRow,
  outcome: 'settled' | 'failed' | 'returned',
) {
  const { customer_id: customerId, amount_minor: amountMinor, asset, method } = collection
  return notify(deps, trx, { customerId, kind: `top_up_${outcome}`, params: { amountMinor, asset, method } })
}

/**
 * Books money that has arrived, even if the bank had given up on it. The rail has taken the money from the customer, who would
 * lose it if the bank did not book it.
 */
async function confirm(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { status } = collection
  if (status === 'pending') {
    await book(deps, trx, collection, 'settle', { kind: 'post', holdId: collection.operation_id })
  } else if (status === 'failed' || status === 'expired') {
    if (await hasClosed(trx, collection.customer_id)) return owe(deps, trx, collection)
    await book(deps, trx, collection, 'late', lateLeg(collection, collection.account_id))
  } else {
    return
  }
  await close(trx, collection, 'confirmed')
  await notifyOutcome(deps, trx, collection, 'settled')
}

function lateLeg({ method, asset, amount_minor: amountMinor }: CollectionRow, credit: AccountId): Leg {
  return { kind: 'transfer', debit: clearingAccount(method, asset), credit, amountMinor }
}

/**
 * Keeps money that arrived for a closed customer until the provider has taken it back. The operator must arrange the return
 * with the provider.
 */
async function owe(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { asset, operation_id: operationId } = collection
  await book(deps, trx, collection, 'late', lateLeg(collection, bankAccount('unclaimed_payments', asset)))
  await close(trx, collection, 'owed')
  deps.log.error({ operationId }, 'a top-up was confirmed after its customer had closed')
}

/** Books that the money kept for a closed customer has gone back to its payer. */
async function giveOwed(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { method, asset, amount_minor: amountMinor } = collection
  const leg = { debit: bankAccount('unclaimed_payments', asset), credit: clearingAccount(method, asset), amountMinor }
  await book(deps, trx, collection, 'return', { kind: 'transfer', ...leg })
  await close(trx, collection, 'returned')
}

/** Ends a collection whose money will not arrive. Releases its hold, and gives its part of the customer's limit back. */
async function fail(deps: RailDeps, trx: Trx, collection: CollectionRow, status: 'failed' | 'expired' | 'returned') {
  if (collection.status !== 'pending') {
    deps.log.warn(
      { operationId: collection.operation_id, status: collection.status },
      'a top-up failed after it had ended',
    )
    return
  }
  await book(deps, trx, collection, 'fail', { kind: 'void', holdId: collection.operation_id })
  await giveBackLimitUse(deps, trx, collection.operation_id)
  await close(trx, collection, status)
  await notifyOutcome(deps, trx, collection, 'failed')
}

/**
 * Records that the payer's bank has taken the money back. If the bank never booked the money, there is nothing to take from the
 * customer. Events may arrive out of order, so a confirmation that arrives later books nothing.
 */
async function noteReturn(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { status } = collection
  if (status === 'confirmed') await takeReturned(deps, trx, collection)
  else if (status === 'pending') await fail(deps, trx, collection, 'returned')
  else if (status === 'owed') await giveOwed(deps, trx, collection)
  else if (status !== 'return_due') await close(trx, collection, 'returned')
}

/**
 * Takes money from the customer at once after the payer's bank has taken it back. An amount that the customer has spent becomes
 * a debt. If the customer has closed the account since, that amount is the bank's loss.
 */
async function takeReturned(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { method, asset, amount_minor: amountMinor, operation_id: operationId, customer_id: customerId } = collection
  // `hasClosed` waits for a concurrent closing of the customer.
  const isLoss = await hasClosed(trx, customerId)
  await takeOrOwe(deps, trx, {
    operation: operationOf(deps, collection, 'return'),
    debt: { customerId, cause: 'top_up_returned', causeId: operationId, name: null, amountMinor },
    credit: clearingAccount(method, asset),
    loss: bankAccount('return_losses', asset),
    detail: returnDetailOf(collection),
  })
  await close(trx, collection, 'returned')
  if (isLoss) deps.log.error({ operationId }, 'a top-up was returned after its customer had closed')
  else await notifyOutcome(deps, trx, collection, 'returned')
}

/**
 * Applies each of a provider's events once. Throws Refusal `not_found` if the bank never requested the collection, and
 * `collection_mismatch` if the event differs from the request.
 */
export async function applyCollectionEvent(deps: RailDeps, event: CollectionEvent): Promise<void> {
  const { type, id } = event
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, id)
    if (collection?.rail !== 'provider') throw new Refusal('not_found')
    if (collection.amount_minor !== event.amountMinor || collection.asset !== event.asset) {
      throw new Refusal('collection_mismatch', 'amountMinor')
    }
    if (!(await recordEvent(deps, trx, event))) return
    if (type === 'collection.confirmed') await confirm(deps, trx, collection)
    else if (type === 'collection.returned') await noteReturn(deps, trx, collection)
    else await fail(deps, trx, collection, 'failed')
  })
}

/** Books money of a collection without a provider, once it is due. A repetition changes nothing. */
export async function settleCollection(deps: RailDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection?.rail === 'simulated' && collection.status === 'pending') await confirm(deps, trx, collection)
  })
}

/** Gives up on money that will not arrive through the provider. A repetition changes nothing. */
export async function giveUpCollection(
  deps: RailDeps,
  operationId: string,
  status: 'failed' | 'expired',
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection) await fail(deps, trx, collection, status)
  })
}

/** Takes the money of a return that an earlier version of the bank left open because the customer had too little money. */
async function takeDue(deps: RailDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection?.status === 'return_due') await takeReturned(deps, trx, collection)
  })
}

/**
 * Ends an overdue collection. Books a bank transfer whose job was lost, gives up on a provider that never answered, or takes
 * the money of a return that an earlier version left open.
 */
export async function endOverdueCollection(deps: RailDeps, { id, status, rail }: OverdueCollection): Promise<void> {
  if (status === 'return_due') await takeDue(deps, id)
  else if (rail === 'simulated') await settleCollection(deps, id)
  else await giveUpCollection(deps, id, 'expired')
}
