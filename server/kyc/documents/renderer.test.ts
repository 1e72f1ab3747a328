import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MAX_PDF_PAGES } from '#contract/documents.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'
import { renderDocument } from '#server/kyc/documents/renderer.ts'
import { pdfFile, pdfOf, pngFile } from '#server/test/files.ts'

const PDF = 'application/pdf'

/** The picture of a file, or why there is none. */
const outcome = (bytes: Buffer, mediaType: MediaType): Promise<Buffer | string> =>
  renderDocument(Readable.from([bytes]), mediaType, {}).catch((error: { code: string }) => error.code)

test('makes a JPEG of a file, or says why not', async () => {
  for (const [bytes, mediaType] of [
    [await pngFile(), 'image/png'],
    [pdfFile(), PDF],
  ] as const) {
    expect((await sharp((await outcome(bytes, mediaType)) as Buffer).metadata()).format).toBe('jpeg')
  }
  expect(await outcome(Buffer.from('%PDF-'), PDF)).toBe('document_unreadable')
  expect(await outcome(pdfOf({ pages: Array.from({ length: MAX_PDF_PAGES + 1 }, () => '') }), PDF)).toBe(
    'document_too_long',
  )
})
