import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { type Selectable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { TopUpMethod } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { Asset } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { BookedOperation, Detail, Operation } from '#server/ledger/types.ts'
import { checkBalanceLimit, LIMIT_REFUSALS, postLimited } from '#server/limits/service.ts'
import { type BankDetails, sealDetails } from '#server/rails/bank-details.ts'
import { overdueAt, type Rail, railFor } from '#server/rails/rails.ts'
import type { Database } from '#server/platform/db/schema.ts'

const payload = z.object({ operationId: z.uuid() })
/** The job that sends a provider the request, and the job that books due money without a provider (jobs.ts). */
export const askProvider = { name: 'rails.ask_provider', payload }
export const settleTopUp = { name: 'accounts.settle_top_up', payload }

/** For each method, the bank's own account through which the money comes in, and the payment method on the statement. */
const METHODS = {
  card: { account: 'card_acquiring', method: 'card' },
  bank: { account: 'ach_clearing', method: 'bank_transfer' },
  wallet: { account: 'wallet_clearing', method: 'wallet' },
} as const satisfies Record<TopUpMethod, object>

export type CollectionRow = Selectable<Database['bank.collection']>

export type Collect = {
  customer: Customer
  method: TopUpMethod
  asset: 'USD'
  amountMinor: number
  key: RequestKey
  /** The linked account that pays, if the customer named one. */
  source?: BankDetails & { name: string }
}

type CollectionSource = Pick<CollectionRow, 'method' | 'source_name'>

/** Returns the statement's description of incoming money: the name of the linked account, or the method. */
export function detailOf({ method, source_name: name }: CollectionSource): Detail {
  return {
    ...(name ? { creditName: name } : {}),
    label: `top_up.${method}`,
    category: 'top_up',
    method: METHODS[method].method,
  }
}

/** Returns the statement's description of money that was taken back. */
export function returnDetailOf({ method }: CollectionSource): Detail {
  return { ...detailOf({ method, source_name: null }), label: `top_up_returned.${method}` }
}

export function clearingAccount(method: TopUpMethod, asset: Asset) {
  return bankAccount(METHODS[method].account, asset)
}

export const TOP_UP_REFUSALS = [
  'method_unavailable',
  'balance_limit_reached',
  'account_closed',
  ...LIMIT_REFUSALS,
] as const

/**
 * Brings money in from outside. If the rail settles at once, the money is booked at once. If not, it is held until it has
 * arrived. Throws Refusal `method_unavailable` if the bank has no rail for the method, and the refusals of the limits and the
 * ledger.
 */
export async function collectMoney(deps: Deps, request: Collect): Promise<BookedOperation> {
  const { customer, method, asset, amountMinor, key, source } = request
  const bookedAt = deps.clock.businessNow()
  const rail = railFor(deps, method, bookedAt)
  if (!rail) throw new Refusal('method_unavailable', 'method')
  const isInstant = rail.kind === 'simulated' && rail.settlesAt === null
  const credit = customer.currentAccountId
  const settlesAt = rail.kind === 'simulated' ? rail.settlesAt : null
  const detail: Detail = {
    ...detailOf({ method, source_name: source?.name ?? null }),
    ...(settlesAt ? { settlesAt } : {}),
  }
  const operation: Operation = {
    id: key.operationId,
    kind: `top_up.${method}`,
    fingerprint: key.fingerprint,
    bookedAt,
    legs: [
      { kind: isInstant ? 'transfer' : 'hold', debit: clearingAccount(method, asset), credit, amountMinor, detail },
    ],
  }
  return postLimited(deps, { customer, direction: 'in', amountMinor }, operation, {
    also: async (trx) => {
      await checkBalanceLimit(deps, trx, credit)
      if (isInstant) return
      await trx
        .insertInto('bank.collection')
        .values({
          operation_id: operation.id,
          customer_id: customer.id,
          account_id: credit,
          method,
          amount_minor: amountMinor,
          asset,
          rail: rail.kind,
          ...sourceOf(deps, rail, request),
          created_at: bookedAt,
          overdue_at: overdueAt(rail, bookedAt),
        })
        .execute()
      await awaitArrival(trx, rail, operation.id)
    },
  })
}

/** The account's numbers are only stored for a provider that needs them. */
function sourceOf({ config }: Pick<Deps, 'config'>, rail: Rail, { source, key }: Collect) {
  if (!source) return {}
  const { name, ...details } = source
  return {
    source_name: name,
    source: rail.kind === 'provider' ? sealDetails(config, key.operationId, details) : null,
  }
}

async function awaitArrival(trx: Transaction<Database>, rail: Rail, operationId: string): Promise<void> {
  if (rail.kind === 'provider') {
    // Requests run one after the other, so that a stalled provider keeps only one worker busy.
    const jobOptions = { key: `${askProvider.name}:${operationId}`, queue: askProvider.name }
    await enqueue(trx, askProvider, { operationId }, jobOptions)
  } else if (rail.settlesAt) {
    const jobOptions = { at: rail.settlesAt, key: `${settleTopUp.name}:${operationId}` }
    await enqueue(trx, settleTopUp, { operationId }, jobOptions)
  }
}

/** Locks a collection until the SQL transaction ends. Returns null if none exists. */
export async function lockCollection(trx: Transaction<Database>, operationId: string): Promise<CollectionRow | null> {
  const locked = await trx
    .selectFrom('bank.collection')
    .selectAll()
    .where('operation_id', '=', operationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked ?? null
}

export type OverdueCollection = Pick<CollectionRow, 'status' | 'rail'> & { id: string }

/**
 * Returns a page of the collections that are overdue, and of the returned collections whose money was not taken back yet.
 * `after` is the last one of the previous page.
 */
export function overdueCollections(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  after: { id: string } | null,
): Promise<OverdueCollection[]> {
  let query = db
    .selectFrom('bank.collection')
    .select(['operation_id as id', 'status', 'rail'])
    // The text must equal the index's condition.
    .where(sql<boolean>`status IN ('pending', 'return_due')`)
    .where(({ eb, or }) => or([eb('status', '=', 'return_due'), eb('overdue_at', '<=', clock.businessNow())]))
  if (after) query = query.where('operation_id', '>', after.id)
  return query.orderBy('operation_id').limit(PAGE_SIZE).execute()
}

/** Prevents a customer from closing while returned money is still to be taken back. Throws Refusal `balance_not_zero`. */
export async function refuseReturnDue(trx: Transaction<Database>, customerId: string): Promise<void> {
  const dueReturn = await trx
    .selectFrom('bank.collection')
    .select('operation_id')
    // A literal lets PostgreSQL use the partial index on unfinished collections.
    .where('status', '=', sql.lit('return_due'))
    .where('customer_id', '=', customerId)
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (dueReturn) throw new Refusal('balance_not_zero')
}

/** Returns the due time of the oldest overdue collection; null if none exists. */
export async function collectionOverdueSince({ db }: Pick<Deps, 'db'>, now: Date): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.collection')
    .select(({ fn }) => fn.min('overdue_at').as('at'))
    .where('status', '=', 'pending')
    .where('overdue_at', '<=', now)
    .executeTakeFirst()
  return oldest?.at ?? null
}

/** Returns the creation time of the oldest collection whose money is kept for a closed customer; null if none exists. */
export async function collectionOwedSince({ db }: Pick<Deps, 'db'>): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.collection')
    .select(({ fn }) => fn.min('created_at').as('at'))
    // The text must equal the index's condition.
    .where(sql<boolean>`status = 'owed'`)
    .executeTakeFirst()
  return oldest?.at ?? null
}
