import { DAY_MS } from '#server/platform/durations.ts'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Category } from '#contract/categories.ts'
import { CLAIM_BACK_WEEKS, type DirectDebit, type Mandate, type MandateDecision } from '#contract/direct-debits.ts'
import { Refusal } from '#contract/errors.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { announceNextBill } from '#server/direct-debits/announcements.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { type ReportedMandate, enqueueMandateReport } from '#server/direct-debits/reports.ts'
import { enqueueEarnPoints } from '#server/rewards/earning.ts'
import { isUuid } from '#server/platform/uuid.ts'

type Trx = Transaction<Database>
export type MandateRow = Selectable<Database['bank.mandate']>

const CLAIM_BACK_MS = CLAIM_BACK_WEEKS * 7 * DAY_MS

/** The number of announced direct debits shown for a mandate, and of others that can no longer be claimed back. */
const MAX_SHOWN = 6

/** The largest time between the due date of a direct debit and its booking, in milliseconds, with a margin. */
const LATE_MS = 14 * DAY_MS

/** Returns the time until which a direct debit can be claimed back. */
export const claimableUntil = (bookedAt: Date) => new Date(bookedAt.getTime() + CLAIM_BACK_MS)

/**
 * Reads a customer's mandates: requested ones first, canceled ones last, and each group by biller. Declined ones are left out.
 */
export async function mandatesOf(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<Mandate[]> {
  const rows = await deps.db
    .selectFrom('bank.mandate')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '!=', 'declined')
    .orderBy(sql`status <> 'requested', status = 'cancelled'`)
    .orderBy('biller_name')
    .orderBy('id')
    .execute()
  const debits = await debitsOf(deps, rows)
  return rows.map((row) => toMandate(row, debits.get(row.id) ?? []))
}

async function debitsOf(deps: Pick<Deps, 'db' | 'clock'>, mandates: readonly MandateRow[]) {
  const debitsByMandate = new Map<string, DirectDebit[]>()
  if (mandates.length === 0) return debitsByMandate
  const ids = mandates.map(({ id }) => id)
  const now = deps.clock.businessNow()
  const claimableFrom = dayOf(new Date(now.getTime() - CLAIM_BACK_MS - LATE_MS))
  const columns = sql`id, mandate_id, amount_minor, asset, due_on, status, booked_at`
  // Each part reads a mandate's direct debits through the index on the due date. A biller may announce many of them for months
  // ahead, and may collect each week, so neither may push out those that the customer can claim back.
  const { rows } = await sql<DebitRow>`
    SELECT d.* FROM unnest(${ids}::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
       (SELECT ${columns} FROM bank.direct_debit
         WHERE mandate_id = wanted.id AND status = 'announced' ORDER BY due_on LIMIT ${MAX_SHOWN})
       UNION
       (SELECT ${columns} FROM bank.direct_debit
         WHERE mandate_id = wanted.id AND status <> 'announced' ORDER BY due_on DESC LIMIT ${MAX_SHOWN})
       UNION
       (SELECT ${columns} FROM bank.direct_debit
         WHERE mandate_id = wanted.id AND status = 'collected' AND due_on >= ${claimableFrom}::date)) d
     ORDER BY d.due_on DESC`.execute(deps.db)
  for (const row of rows) {
    const debits = debitsByMandate.get(row.mandate_id) ?? []
    debitsByMandate.set(row.mandate_id, [...debits, toDebit(row, now)])
  }
  return debitsByMandate
}

type DebitRow = Pick<
  Selectable<Database['bank.direct_debit']>,
  'id' | 'mandate_id' | 'amount_minor' | 'asset' | 'due_on' | 'status' | 'booked_at'
>

function toDebit(row: DebitRow, now: Date): DirectDebit {
  const claimEnd = row.status === 'collected' && row.booked_at ? claimableUntil(row.booked_at) : null
  return {
    id: row.id,
    amountMinor: row.amount_minor,
    asset: row.asset,
    dueOn: row.due_on,
    status: row.status,
    claimableUntil: claimEnd && now < claimEnd ? claimEnd.toISOString() : null,
  }
}

function toMandate(row: MandateRow, debits: readonly DirectDebit[]): Mandate {
  const isUpcoming = ({ status }: DirectDebit) => status === 'announced'
  return {
    id: row.id,
    billerName: row.biller_name,
    reference: row.reference,
    limitMinor: row.limit_minor,
    asset: row.asset,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    upcoming: debits.filter(isUpcoming).toReversed(),
    past: debits.filter((debit) => !isUpcoming(debit)),
  }
}

/** Reads one of the customer's mandates. Throws Refusal `not_found`. */
async function readMandate(deps: Pick<Deps, 'db' | 'clock'>, customerId: string, id: string): Promise<Mandate> {
  const row = isUuid(id) ? await selectMandate(deps.db, customerId, id).executeTakeFirst() : undefined
  if (!row) throw new Refusal('not_found')
  return toMandate(row, (await debitsOf(deps, [row])).get(row.id) ?? [])
}

const selectMandate = (db: Deps['db'], customerId: string, id: string) =>
  db.selectFrom('bank.mandate').selectAll().where('id', '=', id).where('customer_id', '=', customerId)

async function lockMandate(trx: Trx, customerId: string, id: string): Promise<MandateRow> {
  const row = isUuid(id) ? await selectMandate(trx, customerId, id).forNoKeyUpdate().executeTakeFirst() : undefined
  if (!row) throw new Refusal('not_found')
  return row
}

/** Reads a customer's active mandates and locks them until the SQL transaction ends. */
export function activeMandates(trx: Trx, customerId: string): Promise<MandateRow[]> {
  return trx
    .selectFrom('bank.mandate')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The terms that a biller requests. `bill`: the monthly bill of an invented biller; undefined for other billers. */
export type NewMandate = {
  billerName: string
  reference: string
  category: Category
  limitMinor?: number
  /** The provider's id of the mandate, if it comes through a provider. */
  providerId?: string
  bill?: { amountMinor: number; day: number }
}

/**
 * Records a biller's request for a mandate in the caller's SQL transaction and returns the mandate's id. A repeated request
 * returns the same id. Throws Refusal `collection_mismatch` if the provider's id or reference belongs to another mandate, or
 * the terms differ.
 */
export async function requestMandate(
  deps: Pick<Deps, 'clock' | 'events'>,
  trx: Trx,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  request: NewMandate,
): Promise<string> {
  const customerId = customer.id
  const addedMandate = await trx
    .insertInto('bank.mandate')
    .values({
      ...(request.providerId && { id: request.providerId, rail: 'provider' as const }),
      customer_id: customerId,
      account_id: customer.currentAccountId,
      biller_name: request.billerName,
      reference: request.reference,
      category: request.category,
      limit_minor: request.limitMinor ?? null,
      bill_minor: request.bill?.amountMinor ?? null,
      bill_day: request.bill?.day ?? null,
      created_at: deps.clock.businessNow(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (addedMandate) {
    await notify(deps, trx, { customerId, kind: 'mandate_requested', params: { name: request.billerName } })
    return addedMandate.id
  }
  const existingMandate = await trx
    .selectFrom('bank.mandate')
    .select(['id', 'category', 'limit_minor'])
    .where('customer_id', '=', customerId)
    .where('biller_name', '=', request.billerName)
    .where('reference', '=', request.reference)
    .executeTakeFirst()
  if (!existingMandate || (request.providerId && request.providerId !== existingMandate.id))
    throw new Refusal('collection_mismatch', 'reference')
  if (existingMandate.category !== request.category) throw new Refusal('collection_mismatch', 'category')
  if (existingMandate.limit_minor !== (request.limitMinor ?? null))
    throw new Refusal('collection_mismatch', 'limitMinor')
  return existingMandate.id
}

/**
 * Approves or declines a requested mandate. Throws Refusal `not_found`, and `mandate_not_active` if the mandate was already
 * approved or declined.
 */
export async function decideMandate(
  deps: Deps,
  customer: Customer,
  { id, decision }: MandateDecision & { id: string },
  key: RequestKey,
): Promise<Mandate> {
  await runOnce(deps, key, async (trx) => {
    const row = await lockMandate(trx, customer.id, id)
    if (row.status !== 'requested') throw new Refusal('mandate_not_active')
    const status = decision === 'approve' ? 'active' : 'declined'
    const change = { status, decided_at: deps.clock.businessNow() } as const
    await trx.updateTable('bank.mandate').set(change).where('id', '=', row.id).execute()
    await enqueueMandateReport(trx, row)
    if (status === 'declined') return
    await announceNextBill(deps, trx, { ...row, ...change })
    const { id: causeId, biller_name: biller } = row
    const earned = { causeId, customerId: customer.id, biller, name: biller, at: change.decided_at } as const
    await enqueueEarnPoints(trx, { kind: 'direct_debit', ...earned })
  })
  return readMandate(deps, customer.id, id)
}

/**
 * Cancels a mandate and its announced direct debits. A second call changes nothing. Throws Refusal `not_found`, and
 * `mandate_not_active` if the mandate was never approved.
 */
export async function cancelMandate(deps: Deps, customerId: string, id: string): Promise<Mandate> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockMandate(trx, customerId, id)
    if (row.status === 'cancelled') return
    if (row.status !== 'active') throw new Refusal('mandate_not_active')
    await endMandates(trx, deps.clock.businessNow(), [row])
  })
  return readMandate(deps, customerId, id)
}

/** Ends all mandates of a customer who closes their account. */
export async function endMandatesOf(trx: Trx, customerId: string): Promise<void> {
  const customer = trx.selectFrom('bank.customer').select('closed_at').where('id', '=', customerId)
  const { closed_at: closedAt } = await customer.executeTakeFirstOrThrow()
  const rows = await trx
    .selectFrom('bank.mandate')
    .select(['id', 'rail'])
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['requested', 'active'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (closedAt) await endMandates(trx, closedAt, rows)
}

/**
 * Cancels mandates that the caller has locked, with their announced direct debits, and enqueues the reports to the provider.
 */
export async function endMandates(trx: Trx, endedAt: Date, mandates: readonly ReportedMandate[]): Promise<void> {
  if (mandates.length === 0) return
  const ids = mandates.map(({ id }) => id)
  const cancellation = { status: 'cancelled', cancelled_at: endedAt } as const
  await trx.updateTable('bank.mandate').set(cancellation).where('id', 'in', ids).execute()
  await trx
    .updateTable('bank.direct_debit')
    .set({ status: 'cancelled' })
    .where('mandate_id', 'in', ids)
    .where('status', '=', sql.lit('announced'))
    .execute()
  for (const mandate of mandates) await enqueueMandateReport(trx, mandate)
}
