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
import { historyOf } from '#server/kyc/review/history.ts'

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
        summary: 'Customers who wait to be verified, the longest waiting first',
        description: 'For reviewers; to anybody else there is nothing here.',
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
        summary: 'Open a case with a second factor',
        description:
          'This session may then open its documents and decide it for 15 minutes. Doing it again is harmless.',
        params: z.object({ id }),
        parameters: [stepUpParameter],
        response: reviewCase,
        responseDescription: 'The case',
      },
      async (c) => {
        const deps = c.deps
        const reviewer = reviewerOf(c.http)
        const found = await findCaseToReview(deps, reviewer.customer, c.params.id)
        if (!(await isUnlocked(deps, reviewer, found.id))) {
          await requireProof(c.http)
          await unlockCase(deps, reviewer, found.id)
        }
        return await readCase(deps, reviewer, found.id)
      },
    )
    .get(
      '/review/cases/{id}/history',
      {
        caller: 'reviewer',
        middleware: withSecondFactor,
        refuses: ['second_factor_required', 'verification_own'],
        summary: 'Who did what in a case, and when, the latest first',
        params: z.object({ id }),
        response: reviewHistory,
        responseDescription: 'At most 200',
      },
      async (c) => ({ acts: await historyOf(c.deps, reviewerOf(c.http), c.params.id) }),
    )
    .get(
      '/review/cases/{id}/documents/{documentId}',
      {
        caller: 'reviewer',
        leavesRows: true,
        middleware: withSecondFactor,
        refuses: ['second_factor_required', 'case_locked', 'verification_own'],
        summary: 'A document of a case',
        description: 'That you opened it is written down, and its customer can read so.',
        params: z.object({ id, documentId: id }),
        responses: { 200: pictureResponse },
      },
      (c) => {
        const { id: caseId, documentId } = c.params
        return respondWithDocument(c.http, tools, 'reviewer', (asker) =>
          openCaseDocument(c.deps, tools, reviewerOf(c.http), { asker, caseId, documentId }),
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
          'Once, and as you were shown it: `digest` is that of the case. The customer is told, with your reason, which is ' +
          'needed unless you approve.',
        params: z.object({ id }),
        body: decisionRequest,
        response: reviewCase,
        responseDescription: 'The case',
      },
      async (c) => {
        const asked = { caseId: c.params.id, key: c.key, ...c.body }
        return await decideCase(c.deps, reviewerOf(c.http), asked)
      },
    )
}
