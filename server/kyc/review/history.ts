import type { ReviewAct } from '#contract/kyc.ts'
import type { Reviewer } from '#server/kyc/review/access.ts'
import { findCaseToReview } from '#server/kyc/review/cases.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The largest number of actions listed. Only a case whose documents a reviewer opens all day has more. */
const LISTED = 200

/**
 * Returns the actions in a case with their reviewers and times, latest first, for the audit of reviews. Throws Refusal
 * `not_found`, or `verification_own` for the reviewer's own case.
 */
export async function listReviewHistory(
  deps: Pick<Deps, 'db'>,
  reviewer: Reviewer,
  caseId: string,
): Promise<ReviewAct[]> {
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
