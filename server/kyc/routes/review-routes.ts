import { z } from '@hono/zod-openapi'
import { decisionRequest, reviewCase, reviewQueue } from '#contract/kyc.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { answerDocument, fileResponse } from '#server/kyc/routes/file-answer.ts'
import { decideCase, openCaseDocument, readCase, reviewQueueOf } from '#server/kyc/review/review.ts'

const tags = ['Review']
const id = z.string().max(100)

const caseResponse = { description: 'The case', content: { 'application/json': { schema: reviewCase } } }

const readQueue = defineRoute({
  method: 'get',
  path: '/review/cases',
  needs: { caller: 'reviewer' },
  summary: 'Customers who wait to be verified, the longest waiting first',
  description: 'For reviewers; to anybody else there is nothing here.',
  tags,
  responses: { 200: { description: 'At most 50', content: { 'application/json': { schema: reviewQueue } } } },
})

const readOne = defineRoute({
  method: 'get',
  path: '/review/cases/{id}',
  needs: { caller: 'reviewer' },
  summary: 'One case',
  tags,
  request: { params: z.object({ id }) },
  responses: { 200: caseResponse },
})

const readDocument = defineRoute({
  method: 'get',
  path: '/review/cases/{id}/documents/{documentId}',
  needs: { caller: 'reviewer' },
  summary: 'A document of a case',
  description: 'That you opened it is written down, and its customer can read so.',
  tags,
  request: { params: z.object({ id, documentId: id }) },
  responses: { 200: fileResponse },
})

const decide = defineRoute({
  method: 'post',
  path: '/review/cases/{id}/decisions',
  needs: { caller: 'reviewer', key: 'none' },
  summary: 'Decide a case',
  description: 'Once. The customer is told, with your reason, which is needed unless you approve.',
  tags,
  request: {
    params: z.object({ id }),
    body: { required: true, content: { 'application/json': { schema: decisionRequest } } },
  },
  responses: { 200: caseResponse },
})

export const reviewRoutes = router()
  .openapi(readQueue, async (c) => c.json({ cases: await reviewQueueOf(c.get('deps'), c.get('customer')) }, 200))
  .openapi(readOne, async (c) => {
    return c.json(await readCase(c.get('deps'), c.get('customer'), c.req.valid('param').id), 200)
  })
  .openapi(readDocument, (c) => {
    const { id: caseId, documentId } = c.req.valid('param')
    return answerDocument(c, 'reviewer', () =>
      openCaseDocument(c.get('deps'), c.get('customer'), { caseId, documentId }),
    )
  })
  .openapi(decide, async (c) => {
    const decision = c.req.valid('json')
    return c.json(await decideCase(c.get('deps'), c.get('customer'), c.req.valid('param').id, decision), 200)
  })
