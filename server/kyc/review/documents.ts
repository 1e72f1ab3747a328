import { REVIEW_DESK } from '#server/kyc/cases/decision.ts'
import { openDocument, type OpenedDocument } from '#server/kyc/documents/service.ts'
import type { DocumentClient } from '#server/kyc/documents/concurrency.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { checkUnlocked, type Reviewer } from '#server/kyc/review/access.ts'
import { findCaseToReview } from '#server/kyc/review/cases.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/**
 * Returns a document of a case, decrypted. Before that, it records for the bank and for the customer that the reviewer opened
 * it. Throws Refusal `not_found`, `verification_own` for the reviewer's own case, or `case_locked`.
 */
export async function openCaseDocument(
  deps: Deps,
  tools: DocumentTools,
  reviewer: Reviewer,
  { asker: requester, caseId, documentId }: { asker: DocumentClient; caseId: string; documentId: string },
): Promise<OpenedDocument> {
  const { id, customer_id: customerId } = await findCaseToReview(deps, reviewer.customer, caseId)
  await checkUnlocked(deps, reviewer, id)
  const document = await openDocument(deps, tools, requester, { customerId, documentId })
  await inTransaction(deps.db, async (trx) => {
    await trx
      .insertInto('bank.kyc_review')
      .values({
        case_id: id,
        reviewer_id: reviewer.customer.id,
        act: 'open',
        document_id: documentId,
        document_type: document.type,
        acted_at: deps.clock.realNow(),
      })
      .execute()
    await recordSecurityEvent(deps, trx, { customerId, kind: 'document_opened', caller: REVIEW_DESK })
  })
  return document
}
