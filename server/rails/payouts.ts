import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { type Selectable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { ReturnReason } from '#contract/linked-accounts.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, BookedOperation, Detail, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { type BankDetails, sealDetails } from '#server/rails/bank-details.ts'
import { overdueAt, type Rail, railFor } from '#server/rails/rails.ts'

type Trx = Transaction<Database>

const payload = z.object({ operationId: z.uuid() })
/** The job that sends a provider the request, and the job that books a due payout without a provider (jobs.ts). */
export const askPayout = { name: 'rails.ask_payout', payload }
export const settlePayout = { name: 'rails.settle_payout', payload }

export type PayoutRow = Selectable<Database['bank.payout']>

/** The account that receives the money. `name` is shown to the customer. */
export type Destination = BankDetails & { linkedAccountId: string; name: string }

/** Returns the statement's description of money that goes to the customer's account at another bank. */
export function payoutDetail(name: string): Detail {
  return { debitName: name, creditName: name, category: 'payout', method: 'bank_transfer' }
}

type PayOut = { customer: Customer; destination: Destination; asset: 'USD'; amountMinor: number; key: RequestKey }

/**
 * Sends a customer's money to the customer's account at another bank. The money is held at once, and booked when the rail has
 * settled the payout. `check` runs in the SQL transaction, after the posting. Throws Refusal `method_unavailable` if the bank
 * has no rail, the refusals of the limits and the ledger, and the errors of `check`.
 */
export async function payOut(
  deps: Deps,
  request: PayOut,
  check: (trx: Trx) => Promise<void>,
): Promise<BookedOperation> {
  const { customer, destination, asset, amountMinor, key } = request
  const bookedAt = deps.clock.businessNow()
  const rail = railFor(deps, 'bank', bookedAt)
  if (!rail) throw new Refusal('method_unavailable')
  const debit = customer.currentAccountId
  const settlesAt = rail.kind === 'simulated' ? rail.settlesAt : null
  const detail: Detail = { ...payoutDetail(destination.name), ...(settlesAt ? { settlesAt } : {}) }
  const operation: Operation = {
    id: key.operationId,
    kind: 'payout.hold',
    fingerprint: key.fingerprint,
    bookedAt,
    legs: [{ kind: 'hold', debit, credit: bankAccount('ach_clearing', asset), amountMinor, detail }],
  }
  return postLimited(deps, { customer, direction: 'out', amountMinor }, operation, {
    also: async (trx) => {
      await check(trx)
      const payout = { operation, customerId: customer.id, accountId: debit, amountMinor, asset, destination }
      await addPayout(deps, trx, rail, { ...payout, purpose: 'withdrawal', settled: false })
    },
  })
}

/**
 * Sends small amounts of the bank's own money to a linked account to verify it, in the caller's SQL transaction. A simulated
 * rail settles them at once, so that the account's owner can read the amounts. Throws Refusal `method_unavailable`.
 */
export async function payVerification(
  deps: Deps,
  trx: Trx,
  customerId: string,
  destination: Destination,
  amounts: readonly number[],
): Promise<void> {
  const bookedAt = deps.clock.businessNow()
  const rail = railFor(deps, 'bank', bookedAt)
  if (!rail) throw new Refusal('method_unavailable')
  const isInstant = rail.kind === 'simulated'
  const asset = 'USD'
  const [debit, credit] = [bankAccount('account_verification', asset), bankAccount('ach_clearing', asset)]
  const operations = amounts.map((amountMinor, index): Operation => {
    const cause = derivedIdentity('rails', destination.linkedAccountId, `deposit.${index + 1}`)
    return {
      ...cause,
      kind: 'account.verify',
      fingerprint: fingerprintOf('account.verify', cause.id),
      bookedAt,
      legs: [
        { kind: isInstant ? 'transfer' : 'hold', debit, credit, amountMinor, detail: payoutDetail(destination.name) },
      ],
    }
  })
  for (const [index, operation] of operations.entries()) {
    const amountMinor = amounts[index] ?? 0
    const payout = { operation, customerId, accountId: debit, amountMinor, asset, destination } as const
    await addPayout(deps, trx, rail, { ...payout, purpose: 'verification', settled: isInstant })
  }
  // The posting comes last, because all verifications share these accounts.
  await deps.ledger.postWithin(runIn(trx), operations)
}

type NewPayout = {
  operation: Operation
  customerId: string
  accountId: AccountId
  amountMinor: number
  asset: 'USD'
  destination: Destination
  purpose: PayoutRow['purpose']
  settled: boolean
}

async function addPayout(deps: Pick<Deps, 'config'>, trx: Trx, rail: Rail, payout: NewPayout): Promise<void> {
  const { operation, destination } = payout
  const { linkedAccountId, name, ...details } = destination
  const { id: operationId, bookedAt } = operation
  await trx
    .insertInto('bank.payout')
    .values({
      operation_id: operationId,
      customer_id: payout.customerId,
      account_id: payout.accountId,
      linked_account_id: linkedAccountId,
      purpose: payout.purpose,
      name,
      destination: rail.kind === 'provider' ? sealDetails(deps.config, operationId, details) : null,
      amount_minor: payout.amountMinor,
      asset: payout.asset,
      rail: rail.kind,
      status: payout.settled ? 'settled' : 'pending',
      created_at: bookedAt,
      overdue_at: overdueAt(rail, bookedAt),
    })
    .execute()
  if (payout.settled) return
  if (rail.kind === 'provider') {
    // Requests run one after the other, so that a stalled provider keeps only one worker busy.
    await enqueue(trx, askPayout, { operationId }, { key: `${askPayout.name}:${operationId}`, queue: askPayout.name })
  } else if (rail.settlesAt) {
    const jobOptions = { at: rail.settlesAt, key: `${settlePayout.name}:${operationId}` }
    await enqueue(trx, settlePayout, { operationId }, jobOptions)
  }
}

/** Locks a payout until the SQL transaction ends. Returns null if none exists. */
export async function lockPayout(trx: Trx, operationId: string): Promise<PayoutRow | null> {
  const locked = await trx
    .selectFrom('bank.payout')
    .selectAll()
    .where('operation_id', '=', operationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked ?? null
}

export type Payout = {
  operationId: string
  linkedAccountId: string
  purpose: PayoutRow['purpose']
  name: string
  amountMinor: number
  asset: PayoutRow['asset']
  status: PayoutRow['status']
  reason: ReturnReason | null
  createdAt: string
}

type PayoutPage = {
  /** The last payout of the previous page. */
  before: Pick<Payout, 'createdAt' | 'operationId'> | null
  limit: number
}

/** Returns a customer's payouts to accounts at other banks, newest first. */
export function payoutsOf(deps: Pick<Deps, 'db'>, customerId: string, page: PayoutPage): Promise<Payout[]> {
  return readPayouts(deps, customerId, ['withdrawal'], page)
}

/**
 * Returns all money sent to a customer's accounts at other banks, including verification deposits. A person who sees the
 * amounts of these deposits can verify the account, so only the sample bank's panel may call this function.
 */
export function arrivalsElsewhere(deps: Pick<Deps, 'db'>, customerId: string, page: PayoutPage): Promise<Payout[]> {
  return readPayouts(deps, customerId, ['withdrawal', 'verification'], page)
}

async function readPayouts(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  purposes: PayoutRow['purpose'][],
  { before, limit }: PayoutPage,
): Promise<Payout[]> {
  let query = deps.db
    .selectFrom('bank.payout')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('purpose', 'in', purposes)
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'operation_id'), '<', tuple(new Date(before.createdAt), before.operationId)),
    )
  const rows = await query.orderBy('created_at', 'desc').orderBy('operation_id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    operationId: row.operation_id,
    linkedAccountId: row.linked_account_id,
    purpose: row.purpose,
    name: row.name,
    amountMinor: row.amount_minor,
    asset: row.asset,
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
  }))
}

/** Whether one of the deposits that verify an account failed or came back. */
export async function hasReturnedDeposit(trx: Trx, linkedAccountId: string): Promise<boolean> {
  const rows = await trx
    .selectFrom('bank.payout')
    .select('operation_id')
    .where('linked_account_id', '=', linkedAccountId)
    .where('purpose', '=', 'verification')
    .where('status', 'in', ['failed', 'returned'])
    .limit(sql.lit(1))
    .executeTakeFirst()
  return rows !== undefined
}

/**
 * Returns a page of the simulated payouts that are overdue. A provider's payouts are not among them, because the provider may
 * have paid.
 */
export function overduePayouts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  after: { id: string } | null,
): Promise<{ id: string }[]> {
  let query = db
    .selectFrom('bank.payout')
    .select('operation_id as id')
    .where('status', '=', sql.lit('pending'))
    .where('rail', '=', 'simulated')
    .where('overdue_at', '<=', clock.businessNow())
  if (after) query = query.where('operation_id', '>', after.id)
  return query.orderBy('operation_id').limit(PAGE_SIZE).execute()
}

/** Returns the due time of the oldest overdue payout; null if none exists. */
export async function payoutOverdueSince({ db }: Pick<Deps, 'db'>, now: Date): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.payout')
    .select(({ fn }) => fn.min('overdue_at').as('at'))
    .where('status', '=', sql.lit('pending'))
    .where('overdue_at', '<=', now)
    .executeTakeFirst()
  return oldest?.at ?? null
}

/**
 * Returns the creation time of the oldest payout that waits for the operator; null if none waits. Such a payout is lost, or its
 * money is kept for a closed customer.
 */
export async function payoutLeftSince({ db }: Pick<Deps, 'db'>): Promise<Date | null> {
  const oldest = await db
    .selectFrom('bank.payout')
    .select(({ fn }) => fn.min('created_at').as('at'))
    // The text must equal the index's condition.
    .where(sql<boolean>`status IN ('lost', 'owed')`)
    .executeTakeFirst()
  return oldest?.at ?? null
}
