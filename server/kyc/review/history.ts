import type { ReviewAct } from '#contract/kyc.ts'
import type { Reviewer } from '#server/kyc/review/access.ts'
import { findCaseToReview } from '#server/kyc/review/cases.ts'
import type { Deps } from '#server/platform/deps.ts'

/** More than a case comes to, short of somebody who opens its documents all day. */
const LISTED = 200

/**
 * Who did what in a case, and when, the latest first: for the audit of reviews. Throws Refusal `not_found`, or
 * `verification_own` for the reviewer's own case.
 */
export async function historyOf(deps: Pick<Deps, 'db'>, reviewer: Reviewer, caseId: string): Promise<ReviewAct[]> {
  const { id } = await findCaseToReview(deps, reviewer.customer, caseId)
  const rows = await deps.db
    .selectFrom('bank.kyc_review as r')
    .leftJoin('bank.customer as c', 'c.id', 'r.reviewer_id')
    .select(['r.id', 'r.act', 'r.document_type', 'r.reason', 'r.acted_at', 'c.full_name'])
    .where('r.case_id', '=', id)
    .orderBy('r.id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map(({ id: line, act, document_type, reason, acted_at, full_name }) => ({
    id: String(line),
    act,
    reviewer: full_name,
    documentType: document_type,
    reason,
    at: acted_at.toISOString(),
  }))
}
