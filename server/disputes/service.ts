import { DAY_MS } from '#server/platform/durations.ts'
import { isByCard } from '#contract/line-texts.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import type { Dispute, NewDispute } from '#contract/disputes.ts'
import { Refusal } from '#contract/errors.ts'
import { readTransaction } from '#server/accounts/service.ts'
import { type AuthorizationRow, lockPayment } from '#server/card-scheme/payment.ts'
import { bookCredit, bookCreditReversal } from '#server/disputes/provisional-credits.ts'
import { disputeOf, type DisputeRow } from '#server/disputes/dispute.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { debtsLeft, owedOf } from '#server/owed/debts.ts'
import { notify } from '#server/notifications/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

/** Returns whether a transaction is a card payment that can still be disputed. */
function isDisputable(deps: Pick<Deps, 'clock' | 'policy'>, payment: Transaction): boolean {
  const ageMs = deps.clock.businessNow().getTime() - Date.parse(payment.bookedAt)
  return (
    payment.amountMinor < 0 &&
    payment.status === 'completed' &&
    isByCard(payment.paymentMethod) &&
    ageMs <= deps.policy.disputes.days * DAY_MS
  )
}

/**
 * Returns the scheme's id of the payment behind a statement line. Returns null if the payment did not come through the card
 * scheme, as in the sample history.
 */
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
 * Opens a dispute about a card payment. The customer is credited immediately with the amount minus refunds and minus other open
 * disputes about the same payment. There is no credit before the decision if the customer owes the bank money, or if the sum of
 * their credits in dispute would exceed the policy's limit. Throws Refusal `transaction_not_found`. Throws `dispute_impossible`
 * if the transaction is not a completed card payment, is too old, or has nothing left to dispute. Throws `dispute_open` if
 * there is a dispute about it that was not withdrawn.
 */
export async function openDispute(
  deps: Deps,
  customer: Customer,
  request: NewDispute,
  key: RequestKey,
): Promise<Dispute> {
  const payment = await readTransaction(deps, customer, request.transactionId)
  if (!isDisputable(deps, payment)) throw new Refusal('dispute_impossible')
  const { result: id } = await runOnce(deps, key, async (trx) => {
    // The lock makes simultaneous disputes of one customer run one after the other.
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
        reason: request.reason,
        description: request.description ?? null,
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

/**
 * Returns the captured amount minus refunds and minus the amounts in open disputes. These disputes are about other captures of
 * the same payment.
 */
async function undisputedOf(
  trx: SqlTransaction<Database>,
  { scheme_id, captured_minor, refunded_minor }: AuthorizationRow,
): Promise<number> {
  const disputedSum = await trx
    .selectFrom('bank.dispute')
    .select(({ fn }) => fn.sum<string | null>('amount_minor').as('minor'))
    .where('scheme_id', '=', scheme_id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return captured_minor - refunded_minor - Number(disputedSum?.minor ?? 0)
}

async function refuseSecond(trx: SqlTransaction<Database>, { id }: Customer, transactionId: string): Promise<void> {
  const otherDispute = await trx
    .selectFrom('bank.dispute')
    .select('id')
    .where('customer_id', '=', id)
    .where('transaction_id', '=', transactionId)
    .where('status', '<>', 'withdrawn')
    .executeTakeFirst()
  if (otherDispute) throw new Refusal('dispute_open')
}

/** Returns the sum of a customer's credits for open disputes and of credits they have not paid back. */
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

/** Reads one of the customer's disputes. Throws Refusal `not_found`. */
async function readDispute(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Dispute> {
  const row = await deps.db
    .selectFrom('bank.dispute')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return disputeWithDebt(deps, row)
}

async function disputeWithDebt({ db }: Pick<Deps, 'db'>, row: DisputeRow): Promise<Dispute> {
  return disputeOf(row, (await debtsLeft(db, [row.id])).get(row.id) ?? 0)
}

/** Reads the latest dispute about a transaction, and whether a new one is possible. Throws Refusal `transaction_not_found`. */
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
  return { dispute: row ? await disputeWithDebt(deps, row) : null, mayDispute: isNew && isDisputable(deps, payment) }
}

/**
 * Withdraws a dispute. The credit is taken back at once, and a part that the customer has spent becomes a debt. Throws Refusal
 * `not_found` and `dispute_decided`.
 */
export async function withdrawDispute(deps: Deps, customer: Customer, id: string, key: RequestKey): Promise<Dispute> {
  await runOnce(deps, key, async (trx) => {
    const row = await lockDispute(trx, id)
    if (row?.customer_id !== customer.id) throw new Refusal('not_found')
    if (row.status !== 'open') throw new Refusal('dispute_decided')
    if (row.credited_minor > 0) await bookCreditReversal(deps, trx, row, row.credited_minor)
    await trx
      .updateTable('bank.dispute')
      .set({ status: 'withdrawn', decided_at: deps.clock.businessNow() })
      .where('id', '=', id)
      .execute()
    return null
  })
  return readDispute(deps, customer.id, id)
}

/** Locks a dispute until the SQL transaction ends. */
export function lockDispute(trx: SqlTransaction<Database>, id: string): Promise<DisputeRow | undefined> {
  return trx.selectFrom('bank.dispute').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Reads a page of a customer's disputes for their data export. `after` is the last dispute of the previous page. */
export async function disputesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Dispute[]> {
  let query = deps.db.selectFrom('bank.dispute').selectAll().where('customer_id', '=', customerId)
  if (after) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  const owed = await debtsLeft(
    deps.db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => disputeOf(row, owed.get(row.id) ?? 0))
}
