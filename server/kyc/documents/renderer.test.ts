import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MAX_PDF_PAGES } from '#contract/documents.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'
import { renderDocument } from '#server/kyc/documents/renderer.ts'
import { pdfFile, pdfWithPages, pngFile } from '#server/test/files.ts'

const PDF = 'application/pdf'

/** Returns the picture of a file, or the error code. */
const outcome = (bytes: Buffer, mediaType: MediaType): Promise<Buffer | string> =>
  renderDocument(Readable.from([bytes]), mediaType, {}).catch((error: { code: string }) => error.code)

test('it makes a JPEG of a file, or gives the reason why it cannot', async () => {
  for (const [bytes, mediaType] of [
    [await pngFile(), 'image/png'],
    [pdfFile(), PDF],
  ] as const) {
    expect((await sharp((await outcome(bytes, mediaType)) as Buffer).metadata()).format).toBe('jpeg')
  }
  expect(await outcome(Buffer.from('%PDF-'), PDF)).toBe('document_unreadable')
  expect(await outcome(pdfWithPages({ pages: Array.from({ length: MAX_PDF_PAGES + 1 }, () => '') }), PDF)).toBe(
    'document_too_long',
  )
})
