import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'
import { renderImage } from '#server/kyc/documents/render-image.ts'
import { renderDocument } from '#server/kyc/documents/renderer.ts'
import { EXIT } from '#server/kyc/documents/rendering.ts'
import { longestTurnMs } from '#server/test/event-loop.ts'
import {
  chunkyPng,
  hugePng,
  overlappingStreamsPdf,
  packedObjectsPdf,
  pdfFile,
  pdfWithPages,
} from '#server/test/files.ts'

const PDF = 'application/pdf'
const MAX_TURN_MS = 250

/** Returns the rendered image of a file, or the error code. */
const outcome = (bytes: Buffer, mediaType: MediaType, deadlineMs?: number): Promise<Buffer | string> =>
  renderDocument(Readable.from([bytes]), mediaType, deadlineMs === undefined ? {} : { deadlineMs }).catch(
    (error: { code: string }) => error.code,
  )

describe('a hostile file', () => {
  const image =
    '<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 1 >>'
  const pdfWithLargeImage = () =>
    pdfWithPages({
      pages: ['595 0 0 842 0 0 cm /I Do'],
      page: '/Resources << /XObject << /I 100 0 R >> >>',
      objects: [`${image}\nstream\nx\nendstream`],
    })

  // On an idle machine each file is either rendered long before the deadline or never.
  test.each<[string, MediaType, () => Buffer | Promise<Buffer>]>([
    ['4,000 streams that overlap', PDF, () => overlappingStreamsPdf(MAX_DOCUMENT_BYTES, 4000)],
    ['a decompression bomb in a stream', PDF, () => pdfFile(packedObjectsPdf(' '.repeat(40_000_000)))],
    ['a picture of 60,000 by 60,000 on a page', PDF, pdfWithLargeImage],
    ['150,000 lines', PDF, () => pdfWithPages({ pages: ['0 0 m 595 842 l 3 w S '.repeat(150_000)] })],
    ['860,000 chunks', 'image/png', () => chunkyPng(860_000)],
  ])('with %s delays no other upload, and gets its answer in time', async (_, mediaType, make) => {
    const bytes = await make()
    const startedAt = performance.now()
    let answer: Buffer | string = ''
    const longestMs = await longestTurnMs(async () => {
      answer = await outcome(bytes, mediaType, 2_000)
    })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(longestMs).toBeLessThan(MAX_TURN_MS)
    if (typeof answer === 'string') expect(answer).toBe('document_unreadable')
  })

  test('is abandoned at its deadline', async () => {
    const startedAt = performance.now()
    expect(await outcome(pdfFile(), PDF, 20)).toBe('document_unreadable')
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })

  test('of 30,000 by 30,000 pixels is refused before it is unpacked', async () => {
    const bomb = hugePng(30_000)
    const rssBefore = process.memoryUsage.rss()
    const startedAt = performance.now()
    await expect(renderImage(bomb, 'png')).rejects.toMatchObject({ exitCode: EXIT.unreadable })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(20_000_000)
  })
})
