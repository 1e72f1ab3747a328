import { withSecondFactor } from '#server/kyc/review/second-factor.ts'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { decisionRequest, reviewCase, reviewHistory, reviewQueue } from '#contract/kyc.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { requireProof, stepUpParameter } from '#server/identity/access/step-up.ts'
import { pictureResponse, respondWithDocument } from '#server/kyc/documents/response.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { isUnlocked, type Reviewer, unlockCase } from '#server/kyc/review/access.ts'
import { findCaseToReview, readCase, reviewQueueOf } from '#server/kyc/review/cases.ts'
import { decideCase } from '#server/kyc/review/decide.ts'
import { openCaseDocument } from '#server/kyc/review/documents.ts'
import { historyOf } from '#server/kyc/review/history.ts'

const tags = ['Review']
const id = z.string().max(100)

const reviewerOf = (c: Context<ApiEnv>): Reviewer => ({ customer: c.get('customer'), session: c.get('session') })

const caseResponse = { description: 'The case', content: { 'application/json': { schema: reviewCase } } }

const readQueue = defineRoute({
  method: 'get',
  path: '/review/cases',
  needs: { caller: 'reviewer' },
  middleware: withSecondFactor,
  summary: 'Customers who wait to be verified, the longest waiting first',
  description: 'For reviewers; to anybody else there is nothing here.',
  tags,
  responses: { 200: { description: 'At most 50', content: { 'application/json': { schema: reviewQueue } } } },
})

const readOne = defineRoute({
  method: 'get',
  path: '/review/cases/{id}',
  needs: { caller: 'reviewer' },
  middleware: withSecondFactor,
  summary: 'One case',
  tags,
  request: { params: z.object({ id }) },
  responses: { 200: caseResponse },
})

const unlock = defineRoute({
  method: 'post',
  path: '/review/cases/{id}/unlock',
  needs: { caller: 'reviewer', key: 'none' },
  middleware: withSecondFactor,
  summary: 'Open a case with a second factor',
  description: 'This session may then open its documents and decide it for 15 minutes. Doing it again is harmless.',
  tags,
  request: { params: z.object({ id }) },
  parameters: [stepUpParameter],
  responses: { 200: caseResponse },
})

const readHistory = defineRoute({
  method: 'get',
  path: '/review/cases/{id}/history',
  needs: { caller: 'reviewer' },
  middleware: withSecondFactor,
  summary: 'Who did what in a case, and when, the latest first',
  tags,
  request: { params: z.object({ id }) },
  responses: {
    200: { description: 'At most 200', content: { 'application/json': { schema: reviewHistory } } },
  },
})

const readDocument = defineRoute({
  method: 'get',
  path: '/review/cases/{id}/documents/{documentId}',
  needs: { caller: 'reviewer', leavesRows: true },
  middleware: withSecondFactor,
  summary: 'A document of a case',
  description: 'That you opened it is written down, and its customer can read so.',
  tags,
  request: { params: z.object({ id, documentId: id }) },
  responses: { 200: pictureResponse },
})

const decide = defineRoute({
  method: 'post',
  path: '/review/cases/{id}/decisions',
  needs: { caller: 'reviewer' },
  middleware: withSecondFactor,
  summary: 'Decide a case',
  description:
    'Once, and as you were shown it: `digest` is that of the case. The customer is told, with your reason, which is ' +
    'needed unless you approve.',
  tags,
  request: {
    params: z.object({ id }),
    body: { required: true, content: { 'application/json': { schema: decisionRequest } } },
  },
  responses: { 200: caseResponse },
})

export function reviewRoutes(tools: DocumentTools) {
  return router()
    .openapi(readQueue, async (c) => c.json({ cases: await reviewQueueOf(c.get('deps'), reviewerOf(c)) }, 200))
    .openapi(readOne, async (c) => {
      return c.json(await readCase(c.get('deps'), reviewerOf(c), c.req.valid('param').id), 200)
    })
    .openapi(unlock, async (c) => {
      const deps = c.get('deps')
      const reviewer = reviewerOf(c)
      const found = await findCaseToReview(deps, reviewer.customer, c.req.valid('param').id)
      if (!(await isUnlocked(deps, reviewer, found.id))) {
        await requireProof(c)
        await unlockCase(deps, reviewer, found.id)
      }
      return c.json(await readCase(deps, reviewer, found.id), 200)
    })
    .openapi(readHistory, async (c) => {
      return c.json({ acts: await historyOf(c.get('deps'), reviewerOf(c), c.req.valid('param').id) }, 200)
    })
    .openapi(readDocument, (c) => {
      const { id: caseId, documentId } = c.req.valid('param')
      return respondWithDocument(c, tools, 'reviewer', (asker) =>
        openCaseDocument(c.get('deps'), tools, reviewerOf(c), { asker, caseId, documentId }),
      )
    })
    .openapi(decide, async (c) => {
      const asked = { caseId: c.req.valid('param').id, key: c.get('key'), ...c.req.valid('json') }
      return c.json(await decideCase(c.get('deps'), reviewerOf(c), asked), 200)
    })
}
