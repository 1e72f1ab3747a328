import { hasClosed } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { giveBackAllowance } from '#server/limits/allowance.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/taking.ts'
import {
  clearingAccount,
  type CollectionRow,
  type OverdueCollection,
  detailOf,
  lockCollection,
  returnDetailOf,
} from '#server/rails/collections.ts'
import { noteEvent } from '#server/rails/noted-events.ts'
import type { CollectionEvent } from '#server/rails/event.ts'

type Trx = Transaction<Database>

/** What outcomes need. */
type RailDeps = OwedDeps & Pick<Deps, 'config' | 'db'>

type Purpose = 'settle' | 'fail' | 'late' | 'return'

/** The operation of one outcome of a collection. Its id follows from the collection's, so the ledger books it once. */
const operationOf = (deps: RailDeps, { operation_id }: CollectionRow, purpose: Purpose) => ({
  ...derived('rails', operation_id, purpose),
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

function tell(deps: RailDeps, trx: Trx, collection: CollectionRow, outcome: 'settled' | 'failed' | 'returned') {
  const { customer_id: customerId, amount_minor: amountMinor, asset, method } = collection
  return notify(deps, trx, { customerId, kind: `top_up_${outcome}`, params: { amountMinor, asset, method } })
}

/**
 * The money is there. It is booked even where the bank had given up on it: the rail has it from the customer, who would
 * lose it otherwise.
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
  await tell(deps, trx, collection, 'settled')
}

function lateLeg({ method, asset, amount_minor: amountMinor }: CollectionRow, credit: AccountId): Leg {
  return { kind: 'transfer', debit: clearingAccount(method, asset), credit, amountMinor }
}

/** Keeps what came for a customer who has closed, until the provider has taken it back. Only the operator can see to that. */
async function owe(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { asset, operation_id: operationId } = collection
  await book(deps, trx, collection, 'late', lateLeg(collection, bankAccount('unclaimed_payments', asset)))
  await close(trx, collection, 'owed')
  deps.log.error({ operationId }, 'a top-up was confirmed whose customer has closed')
}

/** What was owed to a customer who has closed has gone back to whoever paid it. */
async function giveOwed(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { method, asset, amount_minor: amountMinor } = collection
  const leg = { debit: bankAccount('unclaimed_payments', asset), credit: clearingAccount(method, asset), amountMinor }
  await book(deps, trx, collection, 'return', { kind: 'transfer', ...leg })
  await close(trx, collection, 'returned')
}

/** The money will not come: what was held for it is released, and what it took of the customer's limit given back. */
async function fail(deps: RailDeps, trx: Trx, collection: CollectionRow, status: 'failed' | 'expired' | 'returned') {
  if (collection.status !== 'pending') {
    deps.log.warn({ operationId: collection.operation_id, status: collection.status }, 'a top-up failed that was over')
    return
  }
  await book(deps, trx, collection, 'fail', { kind: 'void', holdId: collection.operation_id })
  await giveBackAllowance(deps, trx, collection.operation_id)
  await close(trx, collection, status)
  await tell(deps, trx, collection, 'failed')
}

/**
 * The payer's bank has taken the money back. Where it was never booked there is nothing to take, and nothing will be
 * booked any more: events may come in another order than they happened.
 */
async function noteReturn(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { status } = collection
  if (status === 'confirmed') await takeReturned(deps, trx, collection)
  else if (status === 'pending') await fail(deps, trx, collection, 'returned')
  else if (status === 'owed') await giveOwed(deps, trx, collection)
  else if (status !== 'return_due') await close(trx, collection, 'returned')
}

/**
 * Takes back what the payer's bank has taken back, at once: what the customer has spent of it they owe. Where they have
 * closed since, nobody is left to take it from, and it is the bank's loss.
 */
async function takeReturned(deps: RailDeps, trx: Trx, collection: CollectionRow): Promise<void> {
  const { method, asset, amount_minor: amountMinor, operation_id: operationId, customer_id: customerId } = collection
  // Who is just closing is waited for.
  const isLoss = await hasClosed(trx, customerId)
  await takeOrOwe(deps, trx, {
    operation: operationOf(deps, collection, 'return'),
    debt: { customerId, cause: 'top_up_returned', causeId: operationId, name: null, amountMinor },
    credit: clearingAccount(method, asset),
    loss: bankAccount('return_losses', asset),
    detail: returnDetailOf(collection),
  })
  await close(trx, collection, 'returned')
  if (isLoss) deps.log.error({ operationId }, 'a top-up was returned whose customer has closed')
  else await tell(deps, trx, collection, 'returned')
}

/**
 * Does what a provider tells, once for each of its events. Throws Refusal `not_found` for what the bank never asked
 * for, and `collection_mismatch` where it differs from what was asked.
 */
export async function applyCollectionEvent(deps: RailDeps, event: CollectionEvent): Promise<void> {
  const { type, id } = event
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, id)
    if (collection?.rail !== 'provider') throw new Refusal('not_found')
    if (collection.amount_minor !== event.amountMinor || collection.asset !== event.asset) {
      throw new Refusal('collection_mismatch', 'amountMinor')
    }
    if (!(await noteEvent(deps, trx, event))) return
    if (type === 'collection.confirmed') await confirm(deps, trx, collection)
    else if (type === 'collection.returned') await noteReturn(deps, trx, collection)
    else await fail(deps, trx, collection, 'failed')
  })
}

/** Books what arrives by itself, once it is due. Doing it again changes nothing. */
export async function settle(deps: RailDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection?.rail === 'simulated' && collection.status === 'pending') await confirm(deps, trx, collection)
  })
}

/** Gives up on money that a provider will not collect. Doing it again changes nothing. */
export async function giveUp(deps: RailDeps, operationId: string, status: 'failed' | 'expired'): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection) await fail(deps, trx, collection, status)
  })
}

/** Of earlier versions: returned, and not taken back while the customer had too little. */
async function takeDue(deps: RailDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const collection = await lockCollection(trx, operationId)
    if (collection?.status === 'return_due') await takeReturned(deps, trx, collection)
  })
}

/**
 * Ends what should have ended by itself: books a bank transfer whose job was lost, gives up on a provider that never answered,
 * and takes back what is still due of a returned one.
 */
export async function endOverdue(deps: RailDeps, { id, status, rail }: OverdueCollection): Promise<void> {
  if (status === 'return_due') await takeDue(deps, id)
  else if (rail === 'simulated') await settle(deps, id)
  else await giveUp(deps, id, 'expired')
}
