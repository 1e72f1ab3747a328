import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'
import { lockCase } from '#server/kyc/cases/cases.ts'
import { settleCase } from '#server/kyc/cases/settlement.ts'

/** Takes a case that waits for a reviewer out of their queue, for want of a customer to decide about. */
export async function withdrawCase(run: Run, customerId: string): Promise<void> {
  await run(`UPDATE bank.kyc_case SET status = 'required' WHERE customer_id = $1 AND status = 'submitted'`, [
    customerId,
  ])
}

/**
 * Has a customer verified anew who is not, any more, whom a reviewer saw: their documents speak of another name or
 * birthday. Where nobody looks at documents there is nothing to do anew.
 */
export async function verifyAnew(deps: Deps, run: Run, customerId: string): Promise<void> {
  if (deps.policy.kyc.approvedAtOnce) return
  const { id: caseId, status } = await lockCase(deps, run, customerId)
  if (status !== 'approved' && status !== 'submitted') return
  const reason = 'Your name or date of birth has changed.'
  await settleCase(deps, run, { caseId, customerId, reviewerId: null, decision: 'again', reason })
}
