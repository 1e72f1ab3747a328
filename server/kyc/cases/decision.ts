import type { Transaction } from 'kysely'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { KycStatus } from '#contract/documents.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { Decision } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Caller, UNKNOWN_DEVICE } from '#server/platform/http/caller.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'
import { payReferrer } from '#server/rewards/referrals.ts'

/** The device in a customer's security events for actions by the bank's staff. It does not identify the employee. */
export const REVIEW_DESK: Caller = { device: { ...UNKNOWN_DEVICE, by: 'review_desk' }, networkZone: 'internet' }

/** The new status and the security event for each decision. */
const OUTCOMES = {
  approve: { status: 'approved', event: 'kyc_approved' },
  reject: { status: 'rejected', event: 'kyc_rejected' },
  again: { status: 'again', event: 'kyc_again' },
} as const satisfies Record<Decision, { status: KycStatus; event: SecurityEventKind }>

export type MadeDecision = {
  caseId: string
  customerId: string
  /** The id of the reviewer. Null if the bank decides automatically. */
  reviewerId: string | null
  decision: Decision
  /** The reason that the customer reads. Required unless the decision is to approve. */
  reason?: ReviewReason | undefined
}

/**
 * Records the decision of a case that the SQL transaction has locked, and notifies the customer. From the next request on, the
 * limits for unverified customers do not apply to an approved customer.
 */
export async function recordDecision(
  deps: Deps,
  trx: Transaction<Database>,
  madeDecision: MadeDecision,
): Promise<void> {
  const { caseId, customerId, reviewerId, decision } = madeDecision
  const { status, event } = OUTCOMES[decision]
  const now = deps.clock.realNow()
  const reason = decision === 'approve' ? null : (madeDecision.reason ?? null)
  const storedReason = reason === null ? null : JSON.stringify(reason)
  await trx.updateTable('bank.kyc_case').set({ status, reason: storedReason }).where('id', '=', caseId).execute()
  await trx
    .insertInto('bank.kyc_review')
    .values({ case_id: caseId, reviewer_id: reviewerId, act: decision, reason: storedReason, acted_at: now })
    .execute()
  await trx
    .updateTable('bank.customer')
    .set({ verified_at: decision === 'approve' ? now : null })
    .where('id', '=', customerId)
    .execute()
  if (decision === 'approve') await payReferrer(deps, trx, customerId)
  // Documents that must be sent again are deleted.
  if (decision === 'again') {
    await trx.deleteFrom('bank.kyc_document').where('customer_id', '=', customerId).execute()
  }
  await recordSecurityEvent(deps, trx, { customerId, kind: event, caller: REVIEW_DESK })
  await notifyDecision(deps, trx, madeDecision)
}

/** Notifies the customer in the app and, if their email is confirmed, by mail. */
async function notifyDecision(
  deps: Deps,
  trx: Transaction<Database>,
  { customerId, decision, reason }: MadeDecision,
): Promise<void> {
  const params = { reason: decision === 'approve' ? null : (reason ?? null) }
  const { event: kind } = OUTCOMES[decision]
  await notify(deps, trx, { customerId, kind, params })
  const customer = await trx
    .selectFrom('bank.customer')
    .select(['full_name', 'email'])
    .where('id', '=', customerId)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (!customer) return
  const { full_name: fullName, email: to } = customer
  await sendMail(deps, trx, { to, customerId, kind, params: { ...params, fullName } })
}
