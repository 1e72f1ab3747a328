import { withSecondFactor } from '#server/kyc/review/second-factor.ts'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { decisionRequest, reviewCase, reviewHistory, reviewQueue } from '#contract/kyc.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { routes } from '#server/identity/access/route.ts'
import { requireProof, stepUpParameter } from '#server/identity/access/step-up.ts'
import { pictureResponse, respondWithDocument } from '#server/kyc/documents/response.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { isUnlocked, type Reviewer, unlockCase } from '#server/kyc/review/access.ts'
import { findCaseToReview, readCase, reviewQueueOf } from '#server/kyc/review/cases.ts'
import { decideCase } from '#server/kyc/review/decide.ts'
import { openCaseDocument } from '#server/kyc/review/documents.ts'
import { listReviewHistory } from '#server/kyc/review/history.ts'

const id = z.string().max(100)

const reviewerOf = (c: Context<ApiEnv>): Reviewer => ({ customer: c.get('customer'), session: c.get('session') })

export function reviewRoutes(tools: DocumentTools) {
  return routes('Review')
    .get(
      '/review/cases',
      {
        caller: 'reviewer',
        middleware: withSecondFactor,
        refuses: ['second_factor_required'],
        summary: 'Customers who wait for verification, longest waiting first',
        description: 'For reviewers only. Other customers get `not_found`.',
        response: reviewQueue,
        responseDescription: 'At most 50',
      },
      async (c) => ({ cases: await reviewQueueOf(c.deps, reviewerOf(c.http)) }),
    )
    .get(
      '/review/cases/{id}',
      {
        caller: 'reviewer',
        middleware: withSecondFactor,
        refuses: ['second_factor_required'],
        summary: 'One case',
        params: z.object({ id }),
        response: reviewCase,
        responseDescription: 'The case',
      },
      (c) => readCase(c.deps, reviewerOf(c.http), c.params.id),
    )
    .post(
      '/review/cases/{id}/unlock',
      {
        caller: 'reviewer',
        key: 'none',
        middleware: withSecondFactor,
        refuses: ['second_factor_required', 'verification_own'],
        summary: 'Unlock a case with a second factor',
        description:
          "After that, this session may open the case's documents and decide it for 15 minutes. Repeating it is harmless.",
        params: z.object({ id }),
        parameters: [stepUpParameter],
        response: reviewCase,
        responseDescription: 'The case',
      },
      async (c) => {
        const deps = c.deps
        const reviewer = reviewerOf(c.http)
        const kycCase = await findCaseToReview(deps, reviewer.customer, c.params.id)
        if (!(await isUnlocked(deps, reviewer, kycCase.id))) {
          await requireProof(c.http)
          await unlockCase(deps, reviewer, kycCase.id)
        }
        return await readCase(deps, reviewer, kycCase.id)
      },
    )
    .get(
      '/review/cases/{id}/history',
      {
        caller: 'reviewer',
        middleware: withSecondFactor,
        refuses: ['second_factor_required', 'verification_own'],
        summary: 'The actions in a case with their reviewers and times, latest first',
        params: z.object({ id }),
        response: reviewHistory,
        responseDescription: 'At most 200',
      },
      async (c) => ({ acts: await listReviewHistory(c.deps, reviewerOf(c.http), c.params.id) }),
    )
    .get(
      '/review/cases/{id}/documents/{documentId}',
      {
        caller: 'reviewer',
        leavesRows: true,
        middleware: withSecondFactor,
        refuses: ['second_factor_required', 'case_locked', 'verification_own'],
        summary: 'A document of a case',
        description: 'The bank records that you opened it, and the customer can see the record.',
        params: z.object({ id, documentId: id }),
        responses: { 200: pictureResponse },
      },
      (c) => {
        const { id: caseId, documentId } = c.params
        return respondWithDocument(c.http, tools, 'reviewer', (requester) =>
          openCaseDocument(c.deps, tools, reviewerOf(c.http), { asker: requester, caseId, documentId }),
        )
      },
    )
    .post(
      '/review/cases/{id}/decisions',
      {
        caller: 'reviewer',
        middleware: withSecondFactor,
        refuses: [
          'second_factor_required',
          'case_locked',
          'verification_own',
          'verification_decided',
          'verification_changed',
          'documents_unseen',
          'fields_missing',
        ],
        summary: 'Decide a case',
        description:
          'A case is decided once. `digest` identifies the state of the case that you saw. The customer is notified with your reason, which is required unless you approve.',
        params: z.object({ id }),
        body: decisionRequest,
        response: reviewCase,
        responseDescription: 'The case',
      },
      async (c) => {
        const request = { caseId: c.params.id, key: c.key, ...c.body }
        return await decideCase(c.deps, reviewerOf(c.http), request)
      },
    )
}
