import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import type { Transaction } from 'kysely'
import type { DisputeDecision, DisputeToReview } from '#contract/disputes.ts'
import { Refusal } from '#contract/errors.ts'
import { lockPayment } from '#server/card-scheme/payment.ts'
import { notePaidBack } from '#server/card-scheme/clearing.ts'
import { bookTakenBack, bookUpheld } from '#server/disputes/booking.ts'
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
import { once } from '#server/platform/once.ts'

type Trx = Transaction<Database>

/** How many disputes a reviewer is shown. */
const SHOWN = 50

function selectToReview(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.dispute as d')
    .innerJoin('bank.customer as c', 'c.id', 'd.customer_id')
    .leftJoin('bank.card_authorisation as a', 'a.scheme_id', 'd.scheme_id')
    .selectAll('d')
    .select(['c.full_name', 'c.email', 'a.refunded_minor'])
}

type ToReview = Awaited<ReturnType<ReturnType<typeof selectToReview>['execute']>>[number]

const shownTo = (reviewer: Customer, { full_name, email, refunded_minor, ...row }: ToReview): DisputeToReview => ({
  ...disputeOf(row, 0),
  customerName: full_name,
  customerEmail: email,
  refundedMinor: refunded_minor ?? 0,
  own: row.customer_id === reviewer.id,
})

/** The disputes that wait for a decision, the longest waiting first. */
export async function disputesToReview(deps: Pick<Deps, 'db'>, reviewer: Customer): Promise<DisputeToReview[]> {
  const rows = await selectToReview(deps)
    .where('d.status', '=', 'open')
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => shownTo(reviewer, row))
}

/**
 * Decides a dispute, once. Upheld, the scheme pays back what the shop has not given back since; rejected, what was
 * credited is taken back, or owed where the customer has spent it. Throws Refusal `not_found`, `dispute_own` for the
 * reviewer's own, `fields_missing` naming `answer` where the customer would not learn why, and `dispute_decided`.
 */
export async function decideDispute(
  deps: Deps,
  reviewer: Customer,
  { id, decision, answer, key }: DisputeDecision & { id: string; key: RequestKey },
): Promise<DisputeToReview> {
  await once(deps, key, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (!row) throw new Refusal('not_found')
    if (row.customer_id === reviewer.id) throw new Refusal('dispute_own')
    if (decision === 'reject' && !answer) throw new Refusal('fields_missing', 'answer')
    if (row.status !== 'open') throw new Refusal('dispute_decided')
    const by = { payer: 'card_scheme', at: deps.clock.businessNow() } as const
    const upheldMinor = decision === 'uphold' ? await uphold(deps, trx, row, by) : 0
    const over = { ...row, decided_by: reviewer.id, answer: answer || null, upheld_minor: upheldMinor }
    await close(deps, trx, over, decision === 'uphold' ? 'upheld' : 'rejected')
    return null
  })
  const shown = await selectToReview(deps).where('d.id', '=', id).executeTakeFirstOrThrow()
  return shownTo(reviewer, shown)
}

/** A dispute, and where its customer's money goes and comes from: null once they have closed. */
export type Locked = DisputeRow & { accountId: AccountId | null }

/** Both are locked until the SQL transaction ends, the customer first. Who is just closing is waited for. */
export async function lockWithCustomer(trx: Trx, id: string): Promise<Locked | null> {
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

/** Answers what was upheld: no more than the shop has kept. */
export async function uphold(
  deps: Deps,
  trx: Trx,
  row: Locked,
  { payer, at }: { payer: 'card_scheme' | 'card_losses'; at: Date },
): Promise<number> {
  const locked = row.scheme_id === null ? null : await lockPayment(trx, row.scheme_id)
  const keptMinor = locked ? locked.payment.captured_minor - locked.payment.refunded_minor : row.amount_minor
  const upheldMinor = Math.min(row.amount_minor, keptMinor)
  if (upheldMinor === 0) return 0
  // What a customer who has closed was never credited with stays owed to them.
  const accountId = row.accountId ?? bankAccount('unclaimed_payments', row.asset)
  const refundId = await bookUpheld(deps, trx, row, { upheldMinor, accountId, payer, at })
  if (locked) await notePaidBack(trx, locked, { refundId, amountMinor: upheldMinor, at })
  return upheldMinor
}

export async function close(deps: Deps, trx: Trx, row: Locked, status: 'upheld' | 'rejected'): Promise<void> {
  const backMinor = Math.max(0, row.credited_minor - row.upheld_minor)
  if (backMinor > 0) await bookTakenBack(deps, trx, row, backMinor)
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
 * Takes back what earlier versions left due of disputes that were not upheld, because there was no money: it is owed from then
 * on.
 */
export const takeDueJob = defineSweep({
  name: 'disputes.take_due',
  everyMinutes: 30,
  find: dueAfter,
  work: (deps, { id }) => takeDue(deps, id),
  failed: 'what is due of a dispute could not be taken back',
})

/** However many of them have no money, those that follow are asked, too. */
function dueAfter({ db }: Pick<Deps, 'db'>, after: { id: string } | null) {
  let query = db.selectFrom('bank.dispute').select('id').where('due_minor', '>', 0)
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/**
 * Throws Refusal `dispute_undecided` where a customer who closes has been credited with what is in dispute, and
 * `balance_not_zero` where they have to pay such a credit back: else the bank would pay for them. Called with the customer's row locked, so that no dispute is opened meanwhile.
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
    await bookTakenBack(deps, trx, row, row.due_minor)
    await trx.updateTable('bank.dispute').set({ due_minor: 0 }).where('id', '=', id).execute()
  })
}
