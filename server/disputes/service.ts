import { DAY_MS } from '#server/platform/durations.ts'
import { isByCard } from '#contract/wording.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import type { Dispute, NewDispute } from '#contract/disputes.ts'
import { Refusal } from '#contract/errors.ts'
import { readTransaction } from '#server/accounts/service.ts'
import { type AuthorisationRow, lockPayment } from '#server/card-scheme/payment.ts'
import { bookCredit, bookTakenBack } from '#server/disputes/booking.ts'
import { disputeOf, type DisputeRow } from '#server/disputes/dispute.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { leftOf, owedOf } from '#server/owed/debts.ts'
import { notify } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

/** Whether a transaction is a card payment that may still be disputed. */
function isDisputable(deps: Pick<Deps, 'clock' | 'policy'>, payment: Transaction): boolean {
  const ageMs = deps.clock.businessNow().getTime() - Date.parse(payment.bookedAt)
  return (
    payment.amountMinor < 0 &&
    payment.status === 'completed' &&
    isByCard(payment.paymentMethod) &&
    ageMs <= deps.policy.disputes.days * DAY_MS
  )
}

/** The scheme's payment behind a line of the statement; null where the bank has none, which is so of the sample story. */
async function schemeIdOf(trx: SqlTransaction<Database>, transactionId: string): Promise<string | null> {
  const [originId = ''] = transactionId.split('.')
  const row = await trx
    .selectFrom('bank.card_capture as c')
    .innerJoin('bank.card_authorisation as a', 'a.id', 'c.authorisation_id')
    .select('a.scheme_id')
    .where('c.origin_id', '=', originId)
    .executeTakeFirst()
  return row?.scheme_id ?? null
}

/**
 * Reports a problem with a card payment. The customer is credited at once with what is left of it after refunds, within what the policy
 * lets anybody have in dispute; beyond that, and while they owe the bank anything, they wait for the decision. Throws Refusal `transaction_not_found`,
 * `dispute_impossible` for what is no card payment, is too old or was refunded, and `dispute_open` where there is one.
 */
export async function openDispute(
  deps: Deps,
  customer: Customer,
  asked: NewDispute,
  key: RequestKey,
): Promise<Dispute> {
  const payment = await readTransaction(deps, customer, asked.transactionId)
  if (!isDisputable(deps, payment)) throw new Refusal('dispute_impossible')
  const { result: id } = await once(deps, key, async (trx) => {
    // Of disputes of one customer at the same moment one is opened after the other.
    await lockCustomer(trx, customer.id)
    await refuseSecond(trx, customer, payment.id)
    const schemeId = await schemeIdOf(trx, payment.id)
    const locked = schemeId === null ? null : await lockPayment(trx, schemeId)
    const leftMinor = locked ? await undisputedOf(trx, locked.payment) : -payment.amountMinor
    const amountMinor = Math.min(-payment.amountMinor, leftMinor)
    if (amountMinor <= 0) throw new Refusal('dispute_impossible')
    const owesNothing = !(await owedOf(trx, [customer.id])).has(customer.id)
    const mayCredit =
      owesNothing && (await inDispute(trx, customer)) + amountMinor <= deps.policy.disputes.creditedMostMinor
    const row = await trx
      .insertInto('bank.dispute')
      .values({
        id: key.operationId,
        customer_id: customer.id,
        transaction_id: payment.id,
        scheme_id: schemeId,
        merchant: payment.name.params['name'] ?? '',
        category: payment.category,
        paid_at: new Date(payment.bookedAt),
        amount_minor: amountMinor,
        asset: payment.asset,
        reason: asked.reason,
        description: asked.description ?? null,
        credited_minor: mayCredit ? amountMinor : 0,
        created_at: deps.clock.businessNow(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (mayCredit) await creditNow(deps, trx, customer, row)
    return row.id
  })
  return readDispute(deps, customer.id, id)
}

/** What is left of a payment after refunds, and after disputes of other parts that its shop took. */
async function undisputedOf(
  trx: SqlTransaction<Database>,
  { scheme_id, captured_minor, refunded_minor }: AuthorisationRow,
): Promise<number> {
  const others = await trx
    .selectFrom('bank.dispute')
    .select(({ fn }) => fn.sum<string | null>('amount_minor').as('minor'))
    .where('scheme_id', '=', scheme_id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return captured_minor - refunded_minor - Number(others?.minor ?? 0)
}

async function refuseSecond(trx: SqlTransaction<Database>, { id }: Customer, transactionId: string): Promise<void> {
  const other = await trx
    .selectFrom('bank.dispute')
    .select('id')
    .where('customer_id', '=', id)
    .where('transaction_id', '=', transactionId)
    .where('status', '<>', 'withdrawn')
    .executeTakeFirst()
  if (other) throw new Refusal('dispute_open')
}

/** What a customer has been credited with for disputes that are not over, or has not paid back. */
async function inDispute(trx: SqlTransaction<Database>, { id }: Customer): Promise<number> {
  const { minor } = await trx
    .selectFrom('bank.dispute')
    .select(({ fn }) => fn.sum<number | null>('credited_minor').as('minor'))
    .where('customer_id', '=', id)
    .where(({ eb, or }) => or([eb('status', '=', 'open'), eb('due_minor', '>', 0)]))
    .executeTakeFirstOrThrow()
  return minor ?? 0
}

async function creditNow(
  deps: Deps,
  trx: SqlTransaction<Database>,
  customer: Customer,
  dispute: DisputeRow,
): Promise<void> {
  const { amount_minor: amountMinor, asset, merchant: name } = dispute
  await bookCredit(deps, trx, { ...dispute, amountMinor, accountId: customer.currentAccountId })
  const params = { amountMinor, asset, name, transactionId: dispute.transaction_id }
  await notify(deps, trx, { customerId: customer.id, kind: 'dispute_credited', params })
}

/** A dispute of the customer's. Throws Refusal `not_found`. */
async function readDispute(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Dispute> {
  const row = await deps.db
    .selectFrom('bank.dispute')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return shown(deps, row)
}

async function shown({ db }: Pick<Deps, 'db'>, row: DisputeRow): Promise<Dispute> {
  return disputeOf(row, (await leftOf(db, [row.id])).get(row.id) ?? 0)
}

/** The latest dispute about a transaction, and whether there may be a new one. Throws Refusal `transaction_not_found`. */
export async function disputeAbout(
  deps: Deps,
  customer: Customer,
  transactionId: string,
): Promise<{ dispute: Dispute | null; mayDispute: boolean }> {
  const payment = await readTransaction(deps, customer, transactionId)
  const row = await deps.db
    .selectFrom('bank.dispute')
    .selectAll()
    .where('customer_id', '=', customer.id)
    .where('transaction_id', '=', payment.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isNew = row === undefined || row.status === 'withdrawn'
  return { dispute: row ? await shown(deps, row) : null, mayDispute: isNew && isDisputable(deps, payment) }
}

/**
 * The customer was mistaken: what they were credited with goes back at once. What they have spent of it they owe. Throws
 * Refusal `not_found` and `dispute_decided`.
 */
export async function withdrawDispute(deps: Deps, customer: Customer, id: string, key: RequestKey): Promise<Dispute> {
  await once(deps, key, async (trx) => {
    const row = await lockDispute(trx, id)
    if (row?.customer_id !== customer.id) throw new Refusal('not_found')
    if (row.status !== 'open') throw new Refusal('dispute_decided')
    if (row.credited_minor > 0) await bookTakenBack(deps, trx, row, row.credited_minor)
    await trx
      .updateTable('bank.dispute')
      .set({ status: 'withdrawn', decided_at: deps.clock.businessNow() })
      .where('id', '=', id)
      .execute()
    return null
  })
  return readDispute(deps, customer.id, id)
}

/** A dispute, locked until the SQL transaction ends. */
export function lockDispute(trx: SqlTransaction<Database>, id: string): Promise<DisputeRow | undefined> {
  return trx.selectFrom('bank.dispute').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** What a customer has disputed, for their download; `after` is the last one that was read. */
export async function disputesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Dispute[]> {
  let query = deps.db.selectFrom('bank.dispute').selectAll().where('customer_id', '=', customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  const owed = await leftOf(
    deps.db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => disputeOf(row, owed.get(row.id) ?? 0))
}
