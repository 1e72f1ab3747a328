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
import { once } from '#server/platform/once.ts'

export type DecisionRequest = z.infer<typeof decisionRequest>

/**
 * Decides a case, once: of two reviewers who decide at the same moment, one does. What is decided is what was shown:
 * `digest` is that of the case as the reviewer saw it. Throws Refusal `not_found`, `verification_own` for the reviewer's
 * own case, `case_locked`, `fields_missing` naming `reason` where the customer would not learn why,
 * `verification_decided` where it does not wait for a decision (any more), `verification_changed` where anything of it is
 * another now, `documents_unseen` where it would be approved by a reviewer who has not opened all its documents.
 */
export async function decideCase(
  deps: Deps,
  reviewer: Reviewer,
  asked: { caseId: string; key: RequestKey } & DecisionRequest,
): Promise<ReviewCase> {
  const { caseId, key, decision, reason, digest } = asked
  const { id, customer_id: customerId } = await findCaseToReview(deps, reviewer.customer, caseId)
  await once(deps, key, async (trx) => {
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
