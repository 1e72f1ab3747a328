import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { LoanApplicationRequest } from '#contract/loans.ts'
import { lockCustomer, lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { creditStanding } from '#server/loans/credit/standing.ts'
import { decideJob } from '#server/loans/offers/decide.ts'
import { checkVerified } from '#server/limits/verified.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { once } from '#server/platform/once.ts'
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
 * Takes an application, which a job decides at once. Who is pre-approved for less is refused here; who is not pre-approved
 * at all learns from the decision why. Throws Refusal `verification_required`, `loan_open`, and what checkTerms throws.
 */
export async function applyForLoan(
  deps: Deps,
  customer: { id: string; currentAccountId: AccountId; verified: boolean },
  asked: LoanApplicationRequest,
  key: RequestKey,
): Promise<{ id: string }> {
  checkTerms(asked)
  const { result } = await once(deps, key, async (trx) => {
    await lockOpenCustomer(trx, customer.id)
    checkVerified(deps, customer)
    await refuseSecond(deps, trx, customer.id)
    const { limitMinor } = await creditStanding(deps, trx, customer)
    if (limitMinor > 0 && asked.amountMinor > limitMinor) throw new Refusal('loan_above_limit', 'amountMinor')
    const { id } = await trx
      .insertInto('bank.loan_application')
      .values({
        // Of its own: a request's key is forgotten one day, and may come again.
        id: randomUUIDv7(),
        customer_id: customer.id,
        amount_minor: asked.amountMinor,
        months: asked.months,
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

/** An offer that has run out, and was not marked so yet, is none. */
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

/** Withdraws an application, or declines its offer; again changes nothing. Throws Refusal `not_found` and `loan_not_offered`. */
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

/** A customer's application, locked until the SQL transaction ends. Throws Refusal `not_found`. */
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

/** Whoever closes: an open loan keeps them, an open application ends. Throws Refusal `loan_owed`. */
export async function endApplications(trx: Trx, customerId: string): Promise<void> {
  const owed = await trx
    .selectFrom('bank.loan')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (owed) throw new Refusal('loan_owed')
  await trx
    .updateTable('bank.loan_application')
    .set({ status: 'withdrawn' })
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['pending', 'offered'])
    .execute()
}
