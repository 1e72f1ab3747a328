import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import type { Transaction } from 'kysely'
import type { DisputeDecision, DisputeToReview } from '#contract/disputes.ts'
import { Refusal } from '#contract/errors.ts'
import { lockPayment } from '#server/card-scheme/payment.ts'
import { recordPaidBack } from '#server/card-scheme/clearing.ts'
import { bookCreditReversal, bookUpheld } from '#server/disputes/provisional-credits.ts'
import { disputeOf, type DisputeRow } from '#server/disputes/dispute.ts'
import { lockDispute } from '#server/disputes/service.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

type Trx = Transaction<Database>

/** The largest number of disputes in a reviewer's list. */
const MAX_SHOWN = 50

function selectToReview(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.dispute as d')
    .innerJoin('bank.customer as c', 'c.id', 'd.customer_id')
    .leftJoin('bank.card_authorisation as a', 'a.scheme_id', 'd.scheme_id')
    .selectAll('d')
    .select(['c.full_name', 'c.email', 'a.refunded_minor'])
}

type ToReview = Awaited<ReturnType<ReturnType<typeof selectToReview>['execute']>>[number]

const reviewView = (reviewer: Customer, { full_name, email, refunded_minor, ...row }: ToReview): DisputeToReview => ({
  ...disputeOf(row, 0),
  customerName: full_name,
  customerEmail: email,
  refundedMinor: refunded_minor ?? 0,
  own: row.customer_id === reviewer.id,
})

/** Reads the open disputes, oldest first. */
export async function disputesToReview(deps: Pick<Deps, 'db'>, reviewer: Customer): Promise<DisputeToReview[]> {
  const rows = await selectToReview(deps)
    .where('d.status', '=', 'open')
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map((row) => reviewView(reviewer, row))
}

/**
 * Decides a dispute once. If it is upheld, the scheme pays the amount minus the shop's refunds. If it is rejected, the credit
 * is taken back, and the part that the customer has already spent becomes a debt. Throws Refusal `not_found`, `dispute_own` for
 * the reviewer's own dispute, `fields_missing` for the field `answer` if a rejection has no explanation, and `dispute_decided`.
 */
export async function decideDispute(
  deps: Deps,
  reviewer: Customer,
  { id, decision, answer, key }: DisputeDecision & { id: string; key: RequestKey },
): Promise<DisputeToReview> {
  await runOnce(deps, key, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (!row) throw new Refusal('not_found')
    if (row.customer_id === reviewer.id) throw new Refusal('dispute_own')
    if (decision === 'reject' && !answer) throw new Refusal('fields_missing', 'answer')
    if (row.status !== 'open') throw new Refusal('dispute_decided')
    const payout = { payer: 'card_scheme', at: deps.clock.businessNow() } as const
    const upheldMinor = decision === 'uphold' ? await upholdDispute(deps, trx, row, payout) : 0
    const closedDispute = { ...row, decided_by: reviewer.id, answer: answer || null, upheld_minor: upheldMinor }
    await closeDispute(deps, trx, closedDispute, decision === 'uphold' ? 'upheld' : 'rejected')
    return null
  })
  const selected = await selectToReview(deps).where('d.id', '=', id).executeTakeFirstOrThrow()
  return reviewView(reviewer, selected)
}

/** A locked dispute. `accountId` is the customer's current account, or null if the customer has closed it. */
export type LockedDispute = DisputeRow & { accountId: AccountId | null }

/**
 * Locks the customer and then the dispute until the SQL transaction ends. If the customer is being closed, this lock waits for
 * the closing to end.
 */
export async function lockWithCustomer(trx: Trx, id: string): Promise<LockedDispute | null> {
  const customer = await trx
    .selectFrom('bank.dispute as d')
    .innerJoin('bank.customer as c', 'c.id', 'd.customer_id')
    .select(['c.current_account_id', 'c.closed_at'])
    .where('d.id', '=', id)
    .forShare('c')
    .executeTakeFirst()
  const row = customer && (await lockDispute(trx, id))
  return row ? { ...row, accountId: customer.closed_at === null ? customer.current_account_id : null } : null
}

/** Upholds a dispute and returns the upheld amount: at most the payment minus the shop's refunds. */
export async function upholdDispute(
  deps: Deps,
  trx: Trx,
  row: LockedDispute,
  { payer, at }: { payer: 'card_scheme' | 'card_losses'; at: Date },
): Promise<number> {
  const locked = row.scheme_id === null ? null : await lockPayment(trx, row.scheme_id)
  const keptMinor = locked ? locked.payment.captured_minor - locked.payment.refunded_minor : row.amount_minor
  const upheldMinor = Math.min(row.amount_minor, keptMinor)
  if (upheldMinor === 0) return 0
  // If the customer has closed, an amount that was not credited goes to the account of unclaimed payments.
  const accountId = row.accountId ?? bankAccount('unclaimed_payments', row.asset)
  const refundId = await bookUpheld(deps, trx, row, { upheldMinor, accountId, payer, at })
  if (locked) await recordPaidBack(trx, locked, { refundId, amountMinor: upheldMinor, at })
  return upheldMinor
}

export async function closeDispute(
  deps: Deps,
  trx: Trx,
  row: LockedDispute,
  status: 'upheld' | 'rejected',
): Promise<void> {
  const backMinor = Math.max(0, row.credited_minor - row.upheld_minor)
  if (backMinor > 0) await bookCreditReversal(deps, trx, row, backMinor)
  await trx
    .updateTable('bank.dispute')
    .set({
      status,
      upheld_minor: row.upheld_minor,
      decided_at: deps.clock.businessNow(),
      decided_by: row.decided_by,
      answer: row.answer,
    })
    .where('id', '=', row.id)
    .execute()
  const { asset, merchant: name, transaction_id: transactionId, customer_id: customerId } = row
  const [kind, amountMinor] =
    status === 'upheld'
      ? (['dispute_upheld', row.upheld_minor || row.amount_minor] as const)
      : (['dispute_rejected', row.amount_minor] as const)
  await notify(deps, trx, { customerId, kind, params: { amountMinor, asset, name, transactionId } })
}

/**
 * Takes back credits of rejected disputes that earlier versions left open because the customer had no money. The missing part
 * becomes a debt.
 */
export const takeDueJob = defineSweep({
  name: 'disputes.take_due',
  everyMinutes: 30,
  find: dueAfter,
  work: (deps, { id }) => takeDue(deps, id),
  failed: 'the open amount of a dispute could not be taken back',
})

/** Paging by id reaches every dispute, even if many earlier ones fail. */
function dueAfter({ db }: Pick<Deps, 'db'>, after: { id: string } | null) {
  let query = db.selectFrom('bank.dispute').select('id').where('due_minor', '>', 0)
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/**
 * Prevents a customer with a credit from closing, because the bank would have to pay for the credit. Throws Refusal
 * `dispute_undecided` if an open dispute has a credit, and `balance_not_zero` if a credit must still be paid back. The caller
 * must hold the lock on the customer's row, so that no dispute is opened meanwhile.
 */
export async function refuseCredited(trx: Trx, customerId: string): Promise<void> {
  const credited = await trx
    .selectFrom('bank.dispute')
    .select('status')
    .where('customer_id', '=', customerId)
    .where(({ and, eb, or }) =>
      or([and([eb('status', '=', 'open'), eb('credited_minor', '>', 0)]), eb('due_minor', '>', 0)]),
    )
    .limit(1)
    .executeTakeFirst()
  if (credited) throw new Refusal(credited.status === 'open' ? 'dispute_undecided' : 'balance_not_zero')
}

async function takeDue(deps: Deps, id: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (!row || row.due_minor === 0) return
    await bookCreditReversal(deps, trx, row, row.due_minor)
    await trx.updateTable('bank.dispute').set({ due_minor: 0 }).where('id', '=', id).execute()
  })
}
