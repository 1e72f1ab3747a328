import { renderDocument } from '#server/kyc/documents/renderer.ts'
import { type DocumentLimit, limitDocuments } from '#server/kyc/documents/concurrency.ts'

/** What documents pass through on one server. */
export type DocumentTools = {
  render: typeof renderDocument
  /** Uploads that are arriving: each takes a temporary file. */
  receiving: DocumentLimit
  /** Files that are being rendered: each takes a process, up to the renderer's deadline. */
  rendering: DocumentLimit
  /** Documents on their way out: each is in memory until it has gone. Customers keep no reviewer waiting. */
  sending: { customer: DocumentLimit; reviewer: DocumentLimit }
}

/** `render`: how files are rendered; in processes of their own unless told. */
export function createDocumentTools({
  render = renderDocument,
}: Partial<Pick<DocumentTools, 'render'>> = {}): DocumentTools {
  return {
    render,
    receiving: limitDocuments({ perCustomer: 4, perAddress: 20, inAll: 100, waiting: 100 }),
    rendering: limitDocuments({ perCustomer: 1, perAddress: 2, inAll: 2, waiting: 100 }),
    sending: {
      customer: limitDocuments({ perCustomer: 2, perAddress: 6, inAll: 16, waiting: 60 }),
      reviewer: limitDocuments({ perCustomer: 3, perAddress: 12, inAll: 24, waiting: 60 }),
    },
  }
}
