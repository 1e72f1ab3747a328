import { createRoute, z } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { decisionRequest, reviewCase, reviewQueue } from '#contract/kyc.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { router } from '#server/platform/http/router.ts'
import { pictureResponse, respondWithDocument } from '#server/kyc/documents/response.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { decideCase, openCaseDocument, readCase, reviewQueueOf } from '#server/kyc/review/review.ts'

const tags = ['Review']
const id = z.string().max(100)

/** To everybody else there is nothing here, whatever they ask for. */
const reviewersOnly = createMiddleware<ApiEnv>(async (c, next) => {
  if (c.get('customer').role !== 'reviewer') throw new Refusal('not_found')
  return next()
})

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
  description: 'Once. The customer is told, with your reason, which is needed unless you approve.',
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
    .openapi(readQueue, async (c) => c.json({ cases: await reviewQueueOf(c.get('deps'), c.get('customer')) }, 200))
    .openapi(readOne, async (c) => {
      return c.json(await readCase(c.get('deps'), c.get('customer'), c.req.valid('param').id), 200)
    })
    .openapi(readDocument, (c) => {
      const { id: caseId, documentId } = c.req.valid('param')
      return respondWithDocument(c, tools, 'reviewer', (asker) =>
        openCaseDocument(c.get('deps'), tools, c.get('customer'), { asker, caseId, documentId }),
      )
    })
    .openapi(decide, async (c) => {
      const decision = c.req.valid('json')
      return c.json(await decideCase(c.get('deps'), c.get('customer'), c.req.valid('param').id, decision), 200)
    })
}
