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
import type { Booked, Detail, Operation } from '#server/ledger/types.ts'
import { checkBalanceLimit, LIMIT_REFUSALS, postLimited } from '#server/limits/service.ts'
import { type BankDetails, sealDetails } from '#server/rails/bank-details.ts'
import { overdueAt, type Rail, railFor } from '#server/rails/rails.ts'
import type { Database } from '#server/platform/db/schema.ts'

const payload = z.object({ operationId: z.uuid() })
/** The job that asks a provider, and the one that books what arrives by itself once it is due (jobs.ts). */
export const askProvider = { name: 'rails.ask_provider', payload }
export const settleTopUp = { name: 'accounts.settle_top_up', payload }

/** Which of the bank's own accounts the money comes through, and how the payment reads. */
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
  /** The linked account that it comes from, where they named one. */
  source?: BankDetails & { name: string }
}

type Way = Pick<CollectionRow, 'method' | 'source_name'>

/** What the customer reads of money that comes in: the name of the linked account that it comes from, or how it came. */
export function detailOf({ method, source_name: name }: Way): Detail {
  return {
    ...(name ? { creditName: name } : {}),
    label: `top_up.${method}`,
    category: 'top_up',
    method: METHODS[method].method,
  }
}

/** What they read of money that was taken back. */
export function returnDetailOf({ method }: Way): Detail {
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
 * Brings money in from outside: booked at once where the rail is sure of it, else held until it has arrived.
 * Throws Refusal `method_unavailable` where the bank has no rail for the method, what the limits and what the ledger refuse.
 */
export async function collect(deps: Deps, request: Collect): Promise<Booked> {
  const { customer, method, asset, amountMinor, key, source } = request
  const bookedAt = deps.clock.businessNow()
  const rail = railFor(deps, method, bookedAt)
  if (!rail) throw new Refusal('method_unavailable', 'method')
  const atOnce = rail.kind === 'simulated' && rail.settlesAt === null
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
    legs: [{ kind: atOnce ? 'transfer' : 'hold', debit: clearingAccount(method, asset), credit, amountMinor, detail }],
  }
  return postLimited(deps, { customer, direction: 'in', amountMinor }, operation, {
    also: async (trx) => {
      await checkBalanceLimit(deps, trx, credit)
      if (atOnce) return
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

/** The account's numbers are kept for a provider that is asked for them, and for nobody else. */
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
    // One after the other: a provider that stalls keeps one worker, and leaves the others to everybody else's jobs.
    const when = { key: `${askProvider.name}:${operationId}`, queue: askProvider.name }
    await enqueue(trx, askProvider, { operationId }, when)
  } else if (rail.settlesAt) {
    const when = { at: rail.settlesAt, key: `${settleTopUp.name}:${operationId}` }
    await enqueue(trx, settleTopUp, { operationId }, when)
  }
}

/** A collection as it stands, locked until the SQL transaction ends; null where there is none. */
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

/** Collections that should have been over by now, and those that were returned and not yet taken back. */
export function overdueCollections(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  after: { id: string } | null,
): Promise<OverdueCollection[]> {
  let query = db
    .selectFrom('bank.collection')
    .select(['operation_id as id', 'status', 'rail'])
    // Word for word the condition of the index.
    .where(sql<boolean>`status IN ('pending', 'return_due')`)
    .where(({ eb, or }) => or([eb('status', '=', 'return_due'), eb('overdue_at', '<=', clock.businessNow())]))
  if (after) query = query.where('operation_id', '>', after.id)
  return query.orderBy('operation_id').limit(PAGE_SIZE).execute()
}

/**
 * Keeps a customer from leaving with what a payer's bank took back and they have spent. Throws Refusal
 * `balance_not_zero`.
 */
export async function refuseReturnDue(trx: Transaction<Database>, customerId: string): Promise<void> {
  const due = await trx
    .selectFrom('bank.collection')
    .select('operation_id')
    // A literal, which the index of unfinished ones needs to see.
    .where('status', '=', sql.lit('return_due'))
    .where('customer_id', '=', customerId)
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (due) throw new Refusal('balance_not_zero')
}

/** Since when the oldest overdue collection has been that; null where none is. */
export async function overdueSince({ db }: Pick<Deps, 'db'>, now: Date): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.collection')
    .select(({ fn }) => fn.min('overdue_at').as('at'))
    .where('status', '=', 'pending')
    .where('overdue_at', '<=', now)
    .executeTakeFirst()
  return oldest?.at ?? null
}

/** Since when the oldest collection has been owed to a customer who has closed; null where none is. */
export async function owedSince({ db }: Pick<Deps, 'db'>): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.collection')
    .select(({ fn }) => fn.min('created_at').as('at'))
    // Word for word the condition of the index.
    .where(sql<boolean>`status = 'owed'`)
    .executeTakeFirst()
  return oldest?.at ?? null
}
