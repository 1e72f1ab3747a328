import type { Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { lockCase } from '#server/kyc/cases/cases.ts'
import { recordDecision } from '#server/kyc/cases/decision.ts'

/** Removes a pending case from the reviewers' queue when its customer closes their account. */
export async function removeFromQueue(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.kyc_case')
    .set({ status: 'required' })
    .where('customer_id', '=', customerId)
    .where('status', '=', 'submitted')
    .execute()
}

/**
 * Reopens an approved customer's verification after a change of name or date of birth, because the approved documents show
 * other details. A pending case stays pending: the reviewer sees the new details. If the policy approves documents at once,
 * nothing is repeated.
 */
export async function reopenCase(deps: Deps, trx: Transaction<Database>, customerId: string): Promise<void> {
  if (deps.policy.kyc.approvedAtOnce) return
  const { id: caseId, status } = await lockCase(deps, trx, customerId)
  if (status !== 'approved') return
  const reason = { code: 'details_changed' } as const
  await recordDecision(deps, trx, { caseId, customerId, reviewerId: null, decision: 'again', reason })
}
