import { renderDocument } from '#server/kyc/documents/renderer.ts'
import { type DocumentLimit, limitDocuments } from '#server/kyc/documents/concurrency.ts'

/** One server's tools for documents. */
export type DocumentTools = {
  render: typeof renderDocument
  /** The limit of uploads in progress. Each upload holds a temporary file. */
  receiving: DocumentLimit
  /** The limit of files being rendered. Each file holds a process, up to the renderer's deadline. */
  rendering: DocumentLimit
  /**
   * The limits of documents being sent. Each document is in memory until it is sent. Customers and reviewers have separate
   * limits, so customers do not delay reviewers.
   */
  sending: { customer: DocumentLimit; reviewer: DocumentLimit }
}

/** `render` renders a file; the default uses a separate process for each file. */
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
