import type { SecurityEventKind } from '#contract/identity.ts'
import type { Decision, KycStatus } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { kycNotices } from '#server/kyc/notices.ts'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'

/** What the customer reads as the device where the bank's own people did something. Who they are is not theirs to know. */
export const REVIEW_DESK: Caller = { device: "Alder's review desk", place: 'internet' }

/** What each decision comes to. */
const OUTCOMES = {
  approve: { status: 'approved', event: 'kyc_approved' },
  reject: { status: 'rejected', event: 'kyc_rejected' },
  again: { status: 'again', event: 'kyc_again' },
} as const satisfies Record<Decision, { status: KycStatus; event: SecurityEventKind }>

export type MadeDecision = {
  caseId: string
  customerId: string
  /** Null where the bank itself decides. */
  reviewerId: string | null
  decision: Decision
  /** For the customer to read; needed unless the decision is to approve. */
  reason?: string | undefined
}

/**
 * Decides a case that the SQL transaction of `run` has locked, and tells the customer. An approved customer has no
 * limits from the next request on.
 */
export async function recordDecision(deps: Deps, run: Run, made: MadeDecision): Promise<void> {
  const { caseId, customerId, reviewerId, decision } = made
  const { status, event } = OUTCOMES[decision]
  const now = deps.clock.realNow()
  const reason = decision === 'approve' ? null : (made.reason ?? null)
  await run(`UPDATE bank.kyc_case SET status = $2, reason = $3 WHERE id = $1`, [caseId, status, reason])
  await run(`INSERT INTO bank.kyc_review (case_id, reviewer_id, act, reason, acted_at) VALUES ($1, $2, $3, $4, $5)`, [
    caseId,
    reviewerId,
    decision,
    reason,
    now,
  ])
  const approved = decision === 'approve'
  await run(`UPDATE bank.customer SET verified_at = $2 WHERE id = $1`, [customerId, approved ? now : null])
  // What is asked for anew is not kept: nobody has a use for it.
  if (decision === 'again') await run(`DELETE FROM bank.kyc_document WHERE customer_id = $1`, [customerId])
  await recordSecurityEvent(deps, run, { customerId, kind: event, caller: REVIEW_DESK })
  await tell(deps, run, made)
}

/** In the app, and by mail where the address is theirs beyond doubt. */
async function tell(deps: Deps, run: Run, { customerId, decision, reason }: MadeDecision): Promise<void> {
  const params = { reason: decision === 'approve' ? null : (reason ?? null) }
  const notice = kycNotices[OUTCOMES[decision].status]
  await notify(deps, run, { customerId, ...notice, params })
  const { rows } = await run(
    'SELECT full_name, email FROM bank.customer WHERE id = $1 AND email_confirmed_at IS NOT NULL',
    [customerId],
  )
  const [customer] = rows as { full_name: string; email: string }[]
  if (!customer) return
  const { full_name: fullName, email: to } = customer
  await sendMail(deps, run, { to, customerId, kind: notice.kind, params: { ...params, fullName } })
}
