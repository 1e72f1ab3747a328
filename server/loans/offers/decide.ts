import { addDays } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { readCreditStanding } from '#server/loans/credit/pre-approval.ts'
import { mustVerify } from '#server/limits/verification.ts'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

type Trx = Transaction<Database>

/** The number of days after which an offer expires, at the end of the day. */
const OFFER_DAYS = 14

const application = z.object({ applicationId: z.uuid() })

/**
 * Decides an application by the customer's current figures. It declines an application of a customer whose identity must be
 * verified first.
 */
export const decideJob = defineJob({
  name: 'loans.decide',
  payload: application,
  work: (deps: Deps, { applicationId }: { applicationId: string }) =>
    inTransaction(deps.db, (trx) => decide(deps, trx, applicationId)),
})

/** Marks an offer that was not accepted in time, and notifies its customer. */
export const expireOfferJob = defineJob({
  name: 'loans.expire_offer',
  payload: application,
  work: (deps: Deps, { applicationId }: { applicationId: string }) =>
    inTransaction(deps.db, (trx) => expire(deps, trx, applicationId)),
})

async function applicantOf(trx: Trx, applicationId: string, status: 'pending' | 'offered') {
  const applicant = await trx
    .selectFrom('bank.loan_application')
    .select('customer_id')
    .where('id', '=', applicationId)
    .executeTakeFirst()
  if (!applicant || !(await lockCustomer(trx, applicant.customer_id))) return null
  const row = await trx
    .selectFrom('bank.loan_application as a')
    .innerJoin('bank.customer as c', 'c.id', 'a.customer_id')
    .select(['a.customer_id', 'a.amount_minor', 'a.expires_at'])
    .select(['c.current_account_id', 'c.verified_at', 'c.email', 'c.email_confirmed_at', 'c.full_name'])
    .where('a.id', '=', applicationId)
    .where('a.status', '=', status)
    .executeTakeFirst()
  return row ?? null
}

async function decide(deps: Deps, trx: Trx, applicationId: string): Promise<void> {
  const applicant = await applicantOf(trx, applicationId, 'pending')
  if (!applicant) return
  const { customer_id: customerId, amount_minor: amountMinor } = applicant
  const customer = { id: customerId, currentAccountId: applicant.current_account_id }
  const { score, limitMinor, reasons } = await readCreditStanding(deps, trx, customer)
  const isOffered = amountMinor <= limitMinor && !mustVerify(deps, { verified: applicant.verified_at !== null })
  const decidedAt = deps.clock.businessNow()
  const expiresAt = isOffered ? new Date(timeOn(addDays(dayOf(decidedAt), OFFER_DAYS + 1)).getTime() - 1) : null
  await trx
    .updateTable('bank.loan_application')
    .set({
      status: isOffered ? 'offered' : 'refused',
      decided_at: decidedAt,
      score,
      limit_minor: limitMinor,
      reasons: JSON.stringify(isOffered ? [] : reasons),
      expires_at: expiresAt,
    })
    .where('id', '=', applicationId)
    .execute()
  if (expiresAt !== null) {
    await enqueue(trx, expireOfferJob, { applicationId }, { at: expiresAt, key: `loans.expire_offer:${applicationId}` })
  }
  const money = { amountMinor, asset: 'USD' as const }
  await notify(deps, trx, { customerId, kind: isOffered ? 'loan_offered' : 'loan_refused', params: money })
  if (applicant.email === null || applicant.email_confirmed_at === null) return
  const mailParams = { fullName: applicant.full_name, ...money }
  const mail = { to: applicant.email, customerId }
  if (expiresAt === null) await sendMail(deps, trx, { ...mail, kind: 'loan_refused', params: mailParams })
  else {
    const params = { ...mailParams, expiresAt: expiresAt.toISOString() }
    await sendMail(deps, trx, { ...mail, kind: 'loan_offered', params })
  }
}

async function expire(deps: Deps, trx: Trx, applicationId: string): Promise<void> {
  const applicant = await applicantOf(trx, applicationId, 'offered')
  if (!applicant?.expires_at || applicant.expires_at > deps.clock.businessNow()) return
  await trx.updateTable('bank.loan_application').set({ status: 'expired' }).where('id', '=', applicationId).execute()
  const params = { amountMinor: applicant.amount_minor, asset: 'USD' as const }
  await notify(deps, trx, { customerId: applicant.customer_id, kind: 'loan_offer_expired', params })
}
