import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { decisionRequest, reviewCase, reviewHistory, reviewQueue } from '#contract/kyc.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { router } from '#server/platform/http/router.ts'
import { requireProof, stepUpParameter } from '#server/identity/access/step-up.ts'
import { pictureResponse, respondWithDocument } from '#server/kyc/documents/response.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { checkSecondFactor, isUnlocked, type Reviewer, unlockCase } from '#server/kyc/review/access.ts'
import { findCaseToReview, readCase, reviewQueueOf } from '#server/kyc/review/cases.ts'
import { decideCase } from '#server/kyc/review/decide.ts'
import { openCaseDocument } from '#server/kyc/review/documents.ts'
import { historyOf } from '#server/kyc/review/history.ts'

const tags = ['Review']
const id = z.string().max(100)

/** To everybody else there is nothing here, whatever they ask for. */
const reviewersOnly = createMiddleware<ApiEnv>(async (c, next) => {
  const customer = c.get('customer')
  if (customer.role !== 'reviewer') throw new Refusal('not_found')
  await checkSecondFactor(c.get('deps'), customer)
  return next()
})

const reviewerOf = (c: Context<ApiEnv>): Reviewer => ({ customer: c.get('customer'), session: c.get('session') })

const caseResponse = { description: 'The case', content: { 'application/json': { schema: reviewCase } } }

const readQueue = createRoute({
  method: 'get',
  path: '/review/cases',
  summary: 'Customers who wait to be verified, the longest waiting first',
  description: 'For reviewers; to anybody else there is nothing here.',
  tags,
  middleware: reviewersOnly,
  responses: { 200: { description: 'At most 50', content: { 'application/json': { schema: reviewQueue } } } },
})

const readOne = createRoute({
  method: 'get',
  path: '/review/cases/{id}',
  summary: 'One case',
  tags,
  middleware: reviewersOnly,
  request: { params: z.object({ id }) },
  responses: { 200: caseResponse },
})

const unlock = createRoute({
  method: 'post',
  path: '/review/cases/{id}/unlock',
  summary: 'Open a case with a second factor',
  description: 'This session may then open its documents and decide it for 15 minutes. Doing it again is harmless.',
  tags,
  middleware: reviewersOnly,
  request: { params: z.object({ id }) },
  parameters: [stepUpParameter],
  responses: { 200: caseResponse },
})

const readHistory = createRoute({
  method: 'get',
  path: '/review/cases/{id}/history',
  summary: 'Who did what in a case, and when, the latest first',
  tags,
  middleware: reviewersOnly,
  request: { params: z.object({ id }) },
  responses: {
    200: { description: 'At most 200', content: { 'application/json': { schema: reviewHistory } } },
  },
})

const readDocument = createRoute({
  method: 'get',
  path: '/review/cases/{id}/documents/{documentId}',
  summary: 'A document of a case',
  description: 'That you opened it is written down, and its customer can read so.',
  tags,
  middleware: reviewersOnly,
  request: { params: z.object({ id, documentId: id }) },
  responses: { 200: pictureResponse },
})

const decide = createRoute({
  method: 'post',
  path: '/review/cases/{id}/decisions',
  summary: 'Decide a case',
  description:
    'Once, and as you were shown it: `digest` is that of the case. The customer is told, with your reason, which is ' +
    'needed unless you approve.',
  tags,
  middleware: reviewersOnly,
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
      const decision = c.req.valid('json')
      return c.json(await decideCase(c.get('deps'), reviewerOf(c), c.req.valid('param').id, decision), 200)
    })
}
