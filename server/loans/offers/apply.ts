import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { LoanApplicationRequest } from '#contract/loans.ts'
import { lockCustomer, lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { readCreditStanding } from '#server/loans/credit/pre-approval.ts'
import { decideJob } from '#server/loans/offers/decide.ts'
import { checkVerified } from '#server/limits/verification.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

type Trx = Transaction<Database>

/** Throws Refusal `loan_amount_too_small`, `loan_amount_off_step`, `loan_above_limit` and `loan_term_invalid`. */
function checkTerms({ amountMinor, months }: LoanApplicationRequest): void {
  const { leastMinor, mostMinor, stepMinor, leastMonths, mostMonths, stepMonths } = LOAN_TERMS
  if (amountMinor < leastMinor) throw new Refusal('loan_amount_too_small', 'amountMinor')
  if (amountMinor > mostMinor) throw new Refusal('loan_above_limit', 'amountMinor')
  if (amountMinor % stepMinor !== 0) throw new Refusal('loan_amount_off_step', 'amountMinor')
  const isTerm = months >= leastMonths && months <= mostMonths && months % stepMonths === 0
  if (!isTerm) throw new Refusal('loan_term_invalid', 'months')
}

/**
 * Stores an application. A job decides it at once. For a pre-approved customer, an amount above the limit is refused here.
 * Other customers get the reason with the decision. Throws Refusal `verification_required`, `loan_open`, and the errors of
 * `checkTerms`.
 */
export async function applyForLoan(
  deps: Deps,
  customer: { id: string; currentAccountId: AccountId; verified: boolean },
  request: LoanApplicationRequest,
  key: RequestKey,
): Promise<{ id: string }> {
  checkTerms(request)
  const { result } = await runOnce(deps, key, async (trx) => {
    await lockOpenCustomer(trx, customer.id)
    checkVerified(deps, customer)
    await refuseSecond(deps, trx, customer.id)
    const { limitMinor } = await readCreditStanding(deps, trx, customer)
    if (limitMinor > 0 && request.amountMinor > limitMinor) throw new Refusal('loan_above_limit', 'amountMinor')
    const { id } = await trx
      .insertInto('bank.loan_application')
      .values({
        // The application needs an id of its own: a request's key is deleted after some time and may then be used again.
        id: randomUUIDv7(),
        customer_id: customer.id,
        amount_minor: request.amountMinor,
        months: request.months,
        apr_bps: LOAN_TERMS.aprBps,
        created_at: deps.clock.businessNow(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(trx, decideJob, { applicationId: id })
    return { id }
  })
  return result
}

/**
 * Throws Refusal `loan_open` if the customer has an open application, offer or loan. Marks an expired offer first, so that it
 * does not count as open.
 */
async function refuseSecond({ clock }: Pick<Deps, 'clock'>, trx: Trx, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.loan_application')
    .set({ status: 'expired' })
    .where('customer_id', '=', customerId)
    .where('status', '=', 'offered')
    .where('expires_at', '<=', clock.businessNow())
    .execute()
  const application = await trx
    .selectFrom('bank.loan_application')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['pending', 'offered'])
    .executeTakeFirst()
  const loan = await trx
    .selectFrom('bank.loan')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (application || loan) throw new Refusal('loan_open')
}

/**
 * Withdraws an application, or declines its offer. A repetition changes nothing. Throws Refusal `not_found` and
 * `loan_not_offered`.
 */
export async function withdrawApplication(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  applicationId: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockCustomer(trx, customerId)
    const application = await lockApplication(trx, customerId, applicationId)
    if (application.status === 'withdrawn') return
    if (application.status !== 'pending' && application.status !== 'offered') throw new Refusal('loan_not_offered')
    await trx
      .updateTable('bank.loan_application')
      .set({ status: 'withdrawn' })
      .where('id', '=', applicationId)
      .execute()
  })
}

/** Locks a customer's application until the SQL transaction ends. Throws Refusal `not_found`. */
export async function lockApplication(trx: Trx, customerId: string, applicationId: string) {
  const application = await trx
    .selectFrom('bank.loan_application')
    .selectAll()
    .where('id', '=', applicationId)
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!application) throw new Refusal('not_found')
  return application
}

/** Ends a customer's open applications when the customer closes. An open loan prevents closing. Throws Refusal `loan_owed`. */
export async function endApplications(trx: Trx, customerId: string): Promise<void> {
  const owedLoan = await trx
    .selectFrom('bank.loan')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (owedLoan) throw new Refusal('loan_owed')
  await trx
    .updateTable('bank.loan_application')
    .set({ status: 'withdrawn' })
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['pending', 'offered'])
    .execute()
}
