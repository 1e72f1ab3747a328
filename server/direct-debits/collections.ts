import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { type Selectable, sql, type Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import type { Category } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import type { UnpaidReason } from '#contract/notice-facts.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import { announceNextBill } from '#server/direct-debits/announcements.ts'
import { claimableUntil } from '#server/direct-debits/mandates.ts'
import { enqueueDebitReport } from '#server/direct-debits/reports.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { isUuid } from '#server/platform/uuid.ts'

type Trx = SqlTransaction<Database>
type DebitRow = Omit<Selectable<Database['bank.direct_debit']>, 'due_on'> & { due_on: string }

type DirectDebit = {
  accountId: AccountId
  billerName: string
  category: Category
  /** US cents. */
  amountMinor: number
  bookedAt: Date
} & Pick<Operation, 'id' | 'derivedFrom'>

/** Builds the operation of a direct debit from the customer's account to the biller. */
export function directDebitOperation(debit: DirectDebit): Operation {
  const { accountId, billerName, category, amountMinor, bookedAt, ...name } = debit
  const detail: Detail = { debitName: billerName, category, method: 'direct_debit' }
  return {
    ...name,
    kind: 'payment.direct_debit',
    fingerprint: fingerprintOf('payment.direct_debit', accountId, billerName, category, amountMinor),
    bookedAt,
    legs: [{ kind: 'transfer', debit: accountId, credit: bankAccount('ach_clearing'), amountMinor, detail }],
  }
}

const selectDebits = (db: Deps['db']) => db.selectFrom('bank.direct_debit').selectAll()

/** Reads a direct debit, in any status, and its biller's name. */
export async function readDebit({ db }: Pick<Deps, 'db'>, id: string) {
  const debit = await selectDebits(db).where('id', '=', id).executeTakeFirstOrThrow()
  const { biller_name: billerName } = await mandateOf(db, debit).executeTakeFirstOrThrow()
  const { amount_minor: amountMinor, asset, due_on: dueOn, due_at: dueAt, status } = debit
  return { billerName, amountMinor, asset, dueOn, dueAt, status }
}

type Collecting = {
  mandateId: string
  /** YYYY-MM-DD. */
  dueOn: string
  /** US cents. */
  amountMinor: number
}

/**
 * Collects an announced direct debit, in full or in part. Returns `unpaid` if the customer's balance, limits or account status
 * do not allow it. Throws Refusal `debit_not_announced` if no direct debit was announced for this date, it is not due yet, or
 * the amount is higher than announced. Throws `mandate_not_active` if the customer has canceled, and `debit_repeated` for a
 * second collection.
 */
export async function collectDebit(deps: Deps, collecting: Collecting): Promise<'collected' | 'unpaid'> {
  const debit = await selectDebits(deps.db)
    .where('mandate_id', '=', collecting.mandateId)
    .where('due_on', '=', collecting.dueOn)
    .executeTakeFirst()
  if (!debit || deps.clock.businessNow() < debit.due_at) throw new Refusal('debit_not_announced', 'dueOn')
  if (collecting.amountMinor > debit.amount_minor) throw new Refusal('debit_not_announced', 'amountMinor')
  if (debit.status === 'cancelled') throw new Refusal('mandate_not_active')
  if (debit.status !== 'announced') throw new Refusal('debit_repeated')
  try {
    await book(deps, debit, collecting.amountMinor)
    return 'collected'
  } catch (error) {
    const reason = error instanceof Refusal ? unpaidReason(error) : null
    if (!reason) throw error
    await returnUnpaid(deps, debit, reason)
    return 'unpaid'
  }
}

/** Maps a refusal to the reason why a direct debit is unpaid; null for a refusal that must be thrown. */
function unpaidReason({ code }: Refusal): UnpaidReason | null {
  if (code === 'insufficient_funds') return code
  if (code === 'amount_too_large' || code === 'day_limit_reached' || code === 'limit_reached') return 'limit'
  return code === 'account_frozen' || code === 'account_closed' ? 'other' : null
}

async function book(deps: Deps, debit: DebitRow, amountMinor: number): Promise<void> {
  const { id, customer_id: customerId } = debit
  const mandate = await mandateOf(deps.db, debit).executeTakeFirstOrThrow()
  const bookedAt = deps.clock.businessNow()
  const name = mandate.biller_name
  const operation = directDebitOperation({
    ...derivedIdentity('direct-debits', id, 'collect'),
    accountId: mandate.account_id,
    billerName: name,
    category: mandate.category as Category,
    amountMinor,
    bookedAt,
  })
  const customer = { id: customerId, verified: mandate.verified_at !== null, currentAccountId: mandate.account_id }
  await postLimited(deps, { customer, direction: 'out', amountMinor }, operation, {
    also: async (trx) => {
      // The mandate may have been canceled since it was read.
      const now = await mandateOf(trx, debit).forNoKeyUpdate('mandate').executeTakeFirstOrThrow()
      if (now.status !== 'active') throw new Refusal('mandate_not_active')
      const change = { status: 'collected', operation_id: operation.id, booked_at: bookedAt } as const
      if (!(await end(trx, id, change))) throw new Refusal('debit_repeated')
      await enqueueDebitReport(trx, id, now)
      await announceNextBill(deps, trx, now, debit.due_on)
      const params = { amountMinor, asset: debit.asset, name }
      await notify(deps, trx, { customerId, kind: 'debit_collected', params })
    },
  })
}

const mandateOf = (db: Deps['db'], { mandate_id }: Pick<DebitRow, 'mandate_id'>) =>
  db
    .selectFrom('bank.mandate as mandate')
    .innerJoin('bank.customer as customer', 'customer.id', 'mandate.customer_id')
    .selectAll('mandate')
    .select('customer.verified_at')
    .where('mandate.id', '=', mandate_id)

type Ended = { status: 'collected'; operation_id: string; booked_at: Date } | { status: 'unpaid' }

/** Ends an announced direct debit; returns false if it has already ended. */
async function end(trx: Trx, id: string, change: Ended): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('bank.direct_debit')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', sql.lit('announced'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a direct debit as unpaid, reports it to the provider and notifies the customer of the reason. */
async function returnUnpaid(deps: Deps, debit: DebitRow, reason: UnpaidReason): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const mandate = await mandateOf(trx, debit).forNoKeyUpdate('mandate').executeTakeFirstOrThrow()
    if (!(await end(trx, debit.id, { status: 'unpaid' }))) return
    await enqueueDebitReport(trx, debit.id, mandate, reason)
    if (mandate.status === 'active') await announceNextBill(deps, trx, mandate, debit.due_on)
    const params = { amountMinor: debit.amount_minor, asset: debit.asset, name: mandate.biller_name, reason }
    await notify(deps, trx, { customerId: debit.customer_id, kind: 'debit_unpaid', params })
  })
}

/** Collects an announced direct debit on behalf of its biller once it is due. A second run changes nothing. */
export async function collectAnnounced(deps: Deps, debitId: string): Promise<void> {
  const debit = await selectDebits(deps.db).where('id', '=', debitId).executeTakeFirst()
  if (debit?.status !== 'announced') return
  const collecting = { mandateId: debit.mandate_id, dueOn: debit.due_on, amountMinor: debit.amount_minor }
  try {
    await collectDebit(deps, collecting)
  } catch (error) {
    // The direct debit was canceled or collected meanwhile.
    const over = ['mandate_not_active', 'debit_repeated']
    if (!(error instanceof Refusal && over.includes(error.code))) throw error
  }
}

const overdueQuery = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  db
    .selectFrom('bank.direct_debit')
    .where('status', '=', sql.lit('announced'))
    .where('due_at', '<=', clock.businessNow())

/** Reads the due direct debits that their own jobs did not collect. */
export function overdueDebits(
  deps: Pick<Deps, 'db' | 'clock'>,
  after: { id: string } | null,
): Promise<{ id: string }[]> {
  let query = overdueQuery(deps).select('id')
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/** Returns the due time of the oldest overdue direct debit, or null if none is overdue. */
export async function debitOverdueSince(deps: Pick<Deps, 'db' | 'clock'>): Promise<Date | null> {
  const oldest = await overdueQuery(deps)
    .select(({ fn }) => fn.min('due_at').as('at'))
    .executeTakeFirst()
  return oldest?.at ?? null
}

/**
 * Refunds a collected direct debit to the customer, who needs no reason. Throws Refusal `not_found`, `already_reversed` if it
 * was refunded before, `claim_back_impossible` if nothing was collected, and `claim_back_late` after eight weeks.
 */
export async function claimBack(
  deps: Deps,
  customer: Customer,
  debitId: string,
  key: RequestKey,
): Promise<Transaction> {
  const debits = selectDebits(deps.db).where('customer_id', '=', customer.id)
  const debit = isUuid(debitId) ? await debits.where('id', '=', debitId).executeTakeFirst() : undefined
  if (!debit) throw new Refusal('not_found')
  if (debit.status === 'claimed_back') throw new Refusal('already_reversed')
  if (!debit.operation_id || !debit.booked_at) throw new Refusal('claim_back_impossible')
  const bookedAt = deps.clock.businessNow()
  if (bookedAt >= claimableUntil(debit.booked_at)) throw new Refusal('claim_back_late')
  const operation: Operation = {
    id: key.operationId,
    kind: 'payment.direct_debit.claim_back',
    fingerprint: key.fingerprint,
    bookedAt,
    legs: [],
    reverses: debit.operation_id,
  }
  return inTransaction(deps.db, async (trx) => {
    const [booked] = await deps.ledger.postWithin(runIn(trx), [operation])
    if (!booked.replayed) {
      await trx.updateTable('bank.direct_debit').set({ status: 'claimed_back' }).where('id', '=', debit.id).execute()
      await enqueueDebitReport(trx, debit.id, await mandateOf(trx, debit).executeTakeFirstOrThrow())
    }
    return transactionOfBooked(booked, customer.currentAccountId)
  })
}
