import { privateNoteRequest } from '#contract/accounts.ts'
import { DOCUMENT_MEDIA, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { addPhoto, openPhoto, removePhoto } from '#server/accounts/annotations/photos.ts'
import { writeNote } from '#server/accounts/annotations/notes.ts'
import { readTransaction } from '#server/accounts/service.ts'
import { limitByCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { mediaTypeRefusal, acceptsMediaType } from '#server/kyc/documents/media-type.ts'
import {
  declaredKind,
  fileSchema,
  incomingFile,
  pictureResponse,
  respondWithDocument,
} from '#server/kyc/documents/response.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** The maximum number of receipt pictures that one customer may upload in an hour: enough for a box of old receipts. */
const UPLOADS = { name: 'receipt-photo', points: 60, seconds: 60 * 60 }

/** Routes for customers' private annotations of their own transactions. */
export const annotationRoutes = (tools: DocumentTools) =>
  routes('Accounts')
    .put(
      '/transactions/{id}/note',
      {
        refuses: ['transaction_not_found'],
        summary: 'Write a note to yourself about a transaction',
        description: 'The note replaces the earlier one. Null or an empty note removes it. `q` also searches notes.',
        body: privateNoteRequest,
      },
      async (c) => {
        const { id } = await readTransaction(c.deps, c.customer, c.params.id)
        await writeNote(c.deps, c.customer.id, id, c.body.note ?? '')
      },
    )
    .put(
      '/transactions/{id}/photo',
      {
        load: 'slow',
        refuses: [
          'transaction_not_found',
          'photos_full',
          'document_too_large',
          'document_kind_refused',
          'document_unreadable',
          'document_too_long',
          'document_locked',
        ],
        summary: 'Keep a picture of the receipt with a transaction',
        description:
          'The body is the file itself: a JPEG, a PNG or a PDF of up to 10 MB, with its Content-Type. It replaces the earlier ' +
          'picture. The bank stores a JPEG of it: upright, without metadata, the pages of a PDF one below the other.',
        middleware: limitByCustomer(UPLOADS),
        bodyLimit: { bytes: MAX_DOCUMENT_BYTES, refusal: 'document_too_large', streamed: true },
        rawBody: {
          required: true,
          content: { 'image/jpeg': fileSchema, 'image/png': fileSchema, 'application/pdf': fileSchema },
        },
      },
      async (c) => {
        const { id: lineId } = await readTransaction(c.deps, c.customer, c.params.id)
        const declared = declaredKind(c.http)
        if (!acceptsMediaType(DOCUMENT_MEDIA, declared)) throw mediaTypeRefusal(DOCUMENT_MEDIA)
        await addPhoto(c.deps, tools, { customerId: c.customer.id, lineId }, incomingFile(c.http, declared))
      },
    )
    .get(
      '/transactions/{id}/photo',
      {
        refuses: ['transaction_not_found'],
        summary: 'The picture of the receipt of a transaction',
        responses: { 200: pictureResponse },
      },
      (c) =>
        respondWithDocument(c.http, tools, 'customer', async ({ customerId }) => {
          const { id: lineId } = await readTransaction(c.deps, c.customer, c.params.id)
          return openPhoto(c.deps, { customerId, lineId })
        }),
    )
    .delete(
      '/transactions/{id}/photo',
      { refuses: ['transaction_not_found'], summary: 'Remove the picture of the receipt from a transaction' },
      async (c) => {
        const { id: lineId } = await readTransaction(c.deps, c.customer, c.params.id)
        await removePhoto(c.deps, { customerId: c.customer.id, lineId })
      },
    )
