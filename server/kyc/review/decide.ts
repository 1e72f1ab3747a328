import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { decisionRequest, KycDocument, ReviewCase } from '#contract/kyc.ts'
import { documentsOf } from '#server/kyc/cases/cases.ts'
import { recordDecision } from '#server/kyc/cases/decision.ts'
import { checkUnlocked, type Reviewer } from '#server/kyc/review/access.ts'
import { digestOfCase, findCase, findCaseToReview, readCase } from '#server/kyc/review/cases.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

export type CaseDecisionRequest = z.infer<typeof decisionRequest>

/**
 * Decides a case once. If two reviewers decide at the same moment, only one decision is made. `digest` identifies the state of
 * the case that the reviewer saw.
 *
 * Throws Refusal `not_found`, `verification_own` for the reviewer's own case, and `case_locked`. Throws `fields_missing` naming
 * `reason` if the customer needs a reason, and `verification_decided` if the case does not wait for a decision. Throws
 * `verification_changed` if the case has changed since, and `documents_unseen` if the reviewer approves without having opened
 * all documents.
 */
export async function decideCase(
  deps: Deps,
  reviewer: Reviewer,
  request: { caseId: string; key: RequestKey } & CaseDecisionRequest,
): Promise<ReviewCase> {
  const { caseId, key, decision, reason, digest } = request
  const { id, customer_id: customerId } = await findCaseToReview(deps, reviewer.customer, caseId)
  await runOnce(deps, key, async (trx) => {
    await checkUnlocked({ ...deps, db: trx }, reviewer, id)
    if (decision !== 'approve' && !reason) throw new Refusal('fields_missing', 'reason')
    // Every change to a customer, their case or their documents takes one of these two locks.
    if (!(await lockCustomer(trx, customerId))) throw new Refusal('verification_decided')
    await trx.selectFrom('bank.kyc_case').select('id').where('id', '=', id).forUpdate().execute()
    const now = await findCase({ db: trx }, id)
    const documents = (await documentsOf({ db: trx }, [customerId])).get(customerId) ?? []
    if (now.status !== 'submitted') throw new Refusal('verification_decided')
    if (digestOfCase(now, documents) !== digest) throw new Refusal('verification_changed')
    if (decision === 'approve') await checkOpened(trx, reviewer, { caseId: id, documents })
    await recordDecision(deps, trx, { caseId: id, customerId, reviewerId: reviewer.customer.id, decision, reason })
  })
  return readCase(deps, reviewer, caseId)
}

async function checkOpened(
  trx: Transaction<Database>,
  { customer }: Reviewer,
  { caseId, documents }: { caseId: string; documents: readonly KycDocument[] },
): Promise<void> {
  const rows = await trx
    .selectFrom('bank.kyc_review')
    .select('document_id')
    .where('case_id', '=', caseId)
    .where('reviewer_id', '=', customer.id)
    .where('act', '=', 'open')
    .execute()
  const opened = new Set(rows.map(({ document_id }) => document_id))
  if (!documents.every(({ id }) => opened.has(id))) throw new Refusal('documents_unseen')
}
