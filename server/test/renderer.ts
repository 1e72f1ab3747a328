import { buffer } from 'node:stream/consumers'
import { Refusal } from '#contract/errors.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { refusalFor } from '#server/kyc/documents/renderer.ts'
import { renderImage } from '#server/kyc/documents/render-image.ts'
import { NotRendered } from '#server/kyc/documents/rendering.ts'

/**
 * Renders a document as the bank does, but in the test's own process. It is for tests of other features, which would otherwise
 * start hundreds of processes.
 */
export const renderInProcess: DocumentTools['render'] = async (source, mediaType) => {
  const bytes = await buffer(source)
  try {
    if (mediaType !== 'application/pdf') return await renderImage(bytes, mediaType === 'image/png' ? 'png' : 'jpeg')
    const { renderPdf } = await import('#server/kyc/documents/render-pdf.ts')
    return await renderPdf(bytes)
  } catch (error) {
    throw error instanceof NotRendered
      ? refusalFor(error.exitCode)
      : new Refusal('document_unreadable', undefined, { cause: error })
  }
}
