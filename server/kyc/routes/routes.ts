import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DOCUMENT_TYPE_KEYS, KYC_STEPS } from '#contract/documents.ts'
import { kyc, uploadQuery } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { kycOf } from '#server/kyc/cases/cases.ts'
import { kindRefused, takes } from '#server/kyc/documents/media-type.ts'
import { askerOf, file, pictureResponse, respondWithDocument } from '#server/kyc/documents/response.ts'
import { openDocument, uploadDocument, uploadSpecimen } from '#server/kyc/documents/service.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { submitDocuments } from '#server/kyc/cases/submission.ts'
import { idParam } from '#server/platform/http/id-param.ts'

const tags = ['Identity verification']

/** Documents one customer may send: three steps and many changes of mind. */
const UPLOADS = { name: 'kyc-upload', points: 100, seconds: 60 * 60 }

const stepParam = z.object({ step: z.enum(KYC_STEPS) })
const kycResponse = {
  description: 'Where your verification stands',
  content: { 'application/json': { schema: kyc } },
}

const readKyc = defineRoute({
  method: 'get',
  path: '/kyc',
  summary: 'Where your verification stands',
  tags,
  responses: { 200: kycResponse },
})

const submit = defineRoute({
  method: 'post',
  path: '/kyc/submission',
  needs: {},
  summary: 'Send your documents in',
  description:
    'All three steps have one by then and, where a reviewer looks at them, your email is confirmed. Sending them in ' +
    'again changes nothing.',
  tags,
  request: { body: { required: false, content: { 'application/json': { schema: z.strictObject({}) } } } },
  responses: { 200: kycResponse },
})

const readDocument = defineRoute({
  method: 'get',
  path: '/kyc/documents/{id}',
  summary: 'A document of yours',
  tags,
  request: { params: idParam },
  responses: { 200: pictureResponse },
})

const limitedRoutes = ({ limiters }: Pick<Deps, 'limiters'>) => {
  const middleware = limitByCustomer({ limiters }, UPLOADS)
  const upload = defineRoute({
    method: 'put',
    path: '/kyc/documents/{step}',
    needs: { load: 'slow' },
    summary: 'Upload a document',
    description:
      'The body is the file itself: a JPEG, a PNG or a PDF (a face is no PDF) of up to 10 MB, and Content-Type says which. ' +
      'It takes the place of the one you sent before, so sending it again is harmless. What is kept is a JPEG of it: upright, ' +
      'without metadata, the pages of a PDF one below the other.',
    tags,
    middleware,
    request: {
      params: stepParam,
      query: uploadQuery,
      body: { required: true, content: { 'image/jpeg': file, 'image/png': file, 'application/pdf': file } },
    },
    responses: { 200: kycResponse },
  })
  const specimen = defineRoute({
    method: 'post',
    path: '/kyc/specimens/{step}',
    needs: { key: 'none' },
    summary: 'Upload a specimen',
    description: 'Only where the bank takes specimens in place of documents; elsewhere there is nothing here.',
    tags,
    middleware,
    request: {
      params: stepParam,
      body: {
        required: true,
        content: { 'application/json': { schema: z.strictObject({ type: z.enum(DOCUMENT_TYPE_KEYS) }) } },
      },
    },
    responses: { 200: kycResponse },
  })
  return { upload, specimen }
}

const own = (c: Context<ApiEnv>) => kycOf(c.get('deps'), c.get('customer').id)

/** The kind of file that a request says its body is. */
function declaredKind(c: Context<ApiEnv>): string {
  return (c.req.header('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase()
}

export function kycRoutes(deps: Pick<Deps, 'limiters'>, tools: DocumentTools) {
  const { upload, specimen } = limitedRoutes(deps)
  return router()
    .openapi(readKyc, async (c) => c.json(await own(c), 200))
    .openapi(upload, async (c) => {
      const { step } = c.req.valid('param')
      const { type } = c.req.valid('query')
      const declared = declaredKind(c)
      if (!takes(step, declared)) throw kindRefused(step)
      const uploading = { ...askerOf(c), customer: c.get('customer'), incoming: c.env.incoming, declared }
      await uploadDocument(c.get('deps'), tools, { step, type }, uploading)
      return c.json(await own(c), 200)
    })
    .openapi(specimen, async (c) => {
      const { step } = c.req.valid('param')
      const { type } = c.req.valid('json')
      await uploadSpecimen(c.get('deps'), c.get('customer'), { step, type })
      return c.json(await own(c), 200)
    })
    .openapi(submit, async (c) => {
      await submitDocuments(c.get('deps'), { customer: c.get('customer'), caller: callerOf(c), key: c.get('key') })
      return c.json(await own(c), 200)
    })
    .openapi(readDocument, (c) =>
      respondWithDocument(c, tools, 'customer', (asker) => {
        const { customerId } = asker
        return openDocument(c.get('deps'), tools, asker, { customerId, documentId: c.req.valid('param').id })
      }),
    )
}
