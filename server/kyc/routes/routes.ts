import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DOCUMENT_TYPE_KEYS, KYC_STEPS, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { kyc, uploadQuery } from '#contract/kyc.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { kycOf } from '#server/kyc/cases/cases.ts'
import { kindRefused, MEDIA_OF, takes } from '#server/kyc/documents/media-type.ts'
import {
  declaredKind,
  file,
  incomingFile,
  pictureResponse,
  respondWithDocument,
} from '#server/kyc/documents/response.ts'
import { openDocument, uploadDocument, uploadSpecimen } from '#server/kyc/documents/service.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { submitDocuments } from '#server/kyc/cases/submission.ts'

/** Documents one customer may send: three steps and many changes of mind. */
const UPLOADS = { name: 'kyc-upload', points: 100, seconds: 60 * 60 }

const stepParam = z.object({ step: z.enum(KYC_STEPS) })
const own = (c: Context<ApiEnv>) => kycOf(c.get('deps'), c.get('customer').id)

export function kycRoutes(tools: DocumentTools) {
  return routes('Identity verification')
    .get(
      '/kyc',
      {
        summary: 'Where your verification stands',
        response: kyc,
        responseDescription: 'Where your verification stands',
      },
      (c) => own(c.http),
    )
    .put(
      '/kyc/steps/{step}/document',
      {
        load: 'slow',
        refuses: [
          'verification_closed',
          'document_too_large',
          'document_kind_refused',
          'photo_kind_refused',
          'document_unreadable',
          'document_too_long',
          'document_locked',
        ],
        summary: 'Upload a document',
        description:
          'The body is the file itself: a JPEG, a PNG or a PDF (a face is no PDF) of up to 10 MB, and Content-Type says which. ' +
          'It takes the place of the one you sent before, so sending it again is harmless. What is kept is a JPEG of it: upright, ' +
          'without metadata, the pages of a PDF one below the other.',
        middleware: limitByCustomer(UPLOADS),
        params: stepParam,
        query: uploadQuery,
        bodyLimit: { bytes: MAX_DOCUMENT_BYTES, refusal: 'document_too_large', streamed: true },
        rawBody: { required: true, content: { 'image/jpeg': file, 'image/png': file, 'application/pdf': file } },
        response: kyc,
        responseDescription: 'Where your verification stands',
      },
      async (c) => {
        const { step } = c.params
        const { type } = c.query
        const declared = declaredKind(c.http)
        if (!takes(MEDIA_OF[step], declared)) throw kindRefused(MEDIA_OF[step])
        const uploading = { customer: c.customer, ...incomingFile(c.http, declared) }
        await uploadDocument(c.deps, tools, { step, type }, uploading)
        return await own(c.http)
      },
    )
    .post(
      '/kyc/specimens/{step}',
      {
        key: 'none',
        refuses: ['not_found', 'verification_closed'],
        summary: 'Upload a specimen',
        description: 'Only where the bank takes specimens in place of documents; elsewhere there is nothing here.',
        middleware: limitByCustomer(UPLOADS),
        params: stepParam,
        body: z.strictObject({ type: z.enum(DOCUMENT_TYPE_KEYS) }),
        response: kyc,
        responseDescription: 'Where your verification stands',
      },
      async (c) => {
        const { step } = c.params
        const { type } = c.body
        await uploadSpecimen(c.deps, c.customer, { step, type })
        return await own(c.http)
      },
    )
    .post(
      '/kyc/submission',
      {
        refuses: ['verification_closed', 'verification_incomplete', 'email_unconfirmed'],
        summary: 'Send your documents in',
        description:
          'All three steps have one by then and, where a reviewer looks at them, your email is confirmed. Sending them in ' +
          'again changes nothing.',
        body: z.strictObject({}),
        isBodyOptional: true,
        response: kyc,
        responseDescription: 'Where your verification stands',
      },
      async (c) => {
        await submitDocuments(c.deps, { customer: c.customer, caller: callerOf(c.http), key: c.key })
        return await own(c.http)
      },
    )
    .get('/kyc/documents/{id}', { summary: 'A document of yours', responses: { 200: pictureResponse } }, (c) =>
      respondWithDocument(c.http, tools, 'customer', (asker) => {
        const { customerId } = asker
        return openDocument(c.deps, tools, asker, { customerId, documentId: c.params.id })
      }),
    )
}
