import type { SecurityEventKind } from '#contract/identity.ts'
import type { Decision, KycStatus } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { linkTo } from '#server/mail/link.ts'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'

/** What the customer reads as the device where the bank's own people did something. Who they are is not theirs to know. */
export const REVIEW_DESK: Caller = { device: "Alder's review desk", place: 'internet' }

type Outcome = { status: KycStatus; event: SecurityEventKind; title: string; message: string }

/** What each decision comes to, and what the customer is told; a reason follows. */
const OUTCOMES: Record<Decision, Outcome> = {
  approve: {
    status: 'approved',
    event: 'kyc_approved',
    title: 'Identity verified',
    message: 'Thank you. Your documents were approved.',
  },
  reject: {
    status: 'rejected',
    event: 'kyc_rejected',
    title: 'Identity not verified',
    message: "We couldn't verify your identity.",
  },
  again: {
    status: 'again',
    event: 'kyc_again',
    title: 'New documents needed',
    message: 'We need new documents to verify your identity.',
  },
}

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
  const { status, title, message } = OUTCOMES[decision]
  const said = decision === 'approve' || !reason ? message : `${message} ${reason}`
  await notify(deps, run, { customerId, kind: `kyc_${status}`, title, message: said })
  const { rows } = await run(
    'SELECT full_name, email FROM bank.customer WHERE id = $1 AND email_confirmed_at IS NOT NULL',
    [customerId],
  )
  const [customer] = rows as { full_name: string; email: string }[]
  if (!customer) return
  const lines = [
    `Hello ${customer.full_name},`,
    '',
    message,
    ...(decision === 'approve' || !reason ? [] : ['', `"${reason}"`]),
    '',
    decision === 'again' ? 'Send them here:' : 'See where it stands:',
    linkTo(deps.config, '/kyc'),
  ]
  await sendMail(deps, run, { to: customer.email, subject: title, text: lines.join('\n'), customerId })
}
