import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DOCUMENT_TYPE_KEYS, KYC_STEPS, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { kyc, uploadQuery } from '#contract/kyc.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { limitByCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { kycOf } from '#server/kyc/cases/cases.ts'
import { mediaTypeRefusal, MEDIA_OF, acceptsMediaType } from '#server/kyc/documents/media-type.ts'
import {
  declaredKind,
  fileSchema,
  incomingFile,
  pictureResponse,
  respondWithDocument,
} from '#server/kyc/documents/response.ts'
import { openDocument, uploadDocument, uploadSpecimen } from '#server/kyc/documents/service.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { submitDocuments } from '#server/kyc/cases/submission.ts'

/** The hourly limit of uploads per customer. It allows many changes to the documents of the three steps. */
const UPLOADS = { name: 'kyc-upload', points: 100, seconds: 60 * 60 }

const stepParam = z.object({ step: z.enum(KYC_STEPS) })
const currentKyc = (c: Context<ApiEnv>) => kycOf(c.get('deps'), c.get('customer').id)

export function kycRoutes(tools: DocumentTools) {
  return routes('Identity verification')
    .get(
      '/kyc',
      {
        summary: 'The state of your verification',
        response: kyc,
        responseDescription: 'The state of your verification',
      },
      (c) => currentKyc(c.http),
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
          'The body is the file itself, with its Content-Type: a JPEG, a PNG or, except for a face, a PDF of up to 10 MB. It replaces your previous document for the step, so repeating the upload is harmless. The bank keeps an upright JPEG of it without metadata, with the pages of a PDF below each other.',
        middleware: limitByCustomer(UPLOADS),
        params: stepParam,
        query: uploadQuery,
        bodyLimit: { bytes: MAX_DOCUMENT_BYTES, refusal: 'document_too_large', streamed: true },
        rawBody: {
          required: true,
          content: { 'image/jpeg': fileSchema, 'image/png': fileSchema, 'application/pdf': fileSchema },
        },
        response: kyc,
        responseDescription: 'The state of your verification',
      },
      async (c) => {
        const { step } = c.params
        const { type } = c.query
        const declared = declaredKind(c.http)
        if (!acceptsMediaType(MEDIA_OF[step], declared)) throw mediaTypeRefusal(MEDIA_OF[step])
        const uploading = { customer: c.customer, ...incomingFile(c.http, declared) }
        await uploadDocument(c.deps, tools, { step, type }, uploading)
        return await currentKyc(c.http)
      },
    )
    .post(
      '/kyc/specimens/{step}',
      {
        key: 'none',
        refuses: ['not_found', 'verification_closed'],
        summary: 'Upload a specimen',
        description:
          'Only for a bank that accepts specimens in place of documents. Other banks respond with `not_found`.',
        middleware: limitByCustomer(UPLOADS),
        params: stepParam,
        body: z.strictObject({ type: z.enum(DOCUMENT_TYPE_KEYS) }),
        response: kyc,
        responseDescription: 'The state of your verification',
      },
      async (c) => {
        const { step } = c.params
        const { type } = c.body
        await uploadSpecimen(c.deps, c.customer, { step, type })
        return await currentKyc(c.http)
      },
    )
    .post(
      '/kyc/submission',
      {
        refuses: ['verification_closed', 'verification_incomplete', 'email_unconfirmed'],
        summary: 'Submit your documents',
        description:
          'Requires a document for each of the three steps and, if a reviewer decides, a confirmed email. Submitting again changes nothing.',
        body: z.strictObject({}),
        isBodyOptional: true,
        response: kyc,
        responseDescription: 'The state of your verification',
      },
      async (c) => {
        await submitDocuments(c.deps, { customer: c.customer, caller: callerOf(c.http), key: c.key })
        return await currentKyc(c.http)
      },
    )
    .get('/kyc/documents/{id}', { summary: 'One of your documents', responses: { 200: pictureResponse } }, (c) =>
      respondWithDocument(c.http, tools, 'customer', (requester) => {
        const { customerId } = requester
        return openDocument(c.deps, tools, requester, { customerId, documentId: c.params.id })
      }),
    )
}
