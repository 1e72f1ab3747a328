import { Refusal } from '#contract/errors.ts'
import { KYC_STEPS } from '#contract/documents.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { isCaseOpen, lockCase } from '#server/kyc/cases/cases.ts'
import { recordDecision } from '#server/kyc/cases/decision.ts'

/**
 * Sends a customer's documents to a reviewer. If the policy has no review, approves them immediately. A repeated submission
 * changes nothing. Throws Refusal `verification_incomplete` while a step has no document, and `verification_closed` after a
 * rejection. Also throws `email_unconfirmed` if a reviewer would decide: invented addresses must not fill the queue.
 */
export async function submitDocuments(
  deps: Deps,
  { customer, caller, key }: { customer: Customer; caller: Caller; key: RequestKey },
): Promise<void> {
  await runOnce(deps, key, async (trx) => {
    const { id, status } = await lockCase(deps, trx, customer.id)
    if (status === 'rejected') throw new Refusal('verification_closed')
    if (!isCaseOpen(status)) return
    if (!deps.policy.kyc.approvedAtOnce && !customer.emailConfirmed) throw new Refusal('email_unconfirmed')
    const steps = await trx
      .selectFrom('bank.kyc_document')
      .select('step')
      .where('customer_id', '=', customer.id)
      .execute()
    if (steps.length < KYC_STEPS.length) throw new Refusal('verification_incomplete')
    await trx
      .updateTable('bank.kyc_case')
      .set({ status: 'submitted', reason: null, submitted_at: deps.clock.realNow() })
      .where('id', '=', id)
      .execute()
    await recordSecurityEvent(deps, trx, { customerId: customer.id, kind: 'kyc_submitted', caller })
    if (deps.policy.kyc.approvedAtOnce) {
      await recordDecision(deps, trx, { caseId: id, customerId: customer.id, reviewerId: null, decision: 'approve' })
    }
  })
}
