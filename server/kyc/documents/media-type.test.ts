import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import type { KycStep } from '#contract/documents.ts'
import { checkKind, MEDIA_OF } from '#server/kyc/documents/media-type.ts'
import { EMPTY_ZIP, jpegFile, pdfFile, pngFile } from '#server/test/files.ts'

function expectRefusal(bytes: Buffer, declared: string, code: ErrorCode, step: KycStep = 'id'): void {
  expect(() => checkKind(bytes, MEDIA_OF[step], declared)).toThrow(expect.objectContaining({ code }))
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const tiny = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })

describe('the type of a file', () => {
  test('is determined from its first bytes, and has to match the declared type', async () => {
    expect(checkKind(await jpegFile(), MEDIA_OF.selfie, 'image/jpeg')).toBe('image/jpeg')
    expect(checkKind(await pngFile(), MEDIA_OF.id, 'image/png')).toBe('image/png')
    expect(checkKind(pdfFile(), MEDIA_OF.address, 'application/pdf')).toBe('application/pdf')
  })

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', () => Buffer.from(svg)],
    ['SVG after an XML declaration', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['GIF', () => tiny.gif().toBuffer()],
    ['WebP', () => tiny.webp().toBuffer()],
    ['TIFF', () => tiny.tiff().toBuffer()],
    ['AVIF', () => tiny.avif().toBuffer()],
    ['HEIC', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['ZIP', () => EMPTY_ZIP],
    ['an executable program', () => Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
    ['a PDF with a prefix', () => Buffer.concat([Buffer.from('\n'), pdfFile()])],
  ])('%s is refused with any declared type', async (_, make) => {
    const bytes = await make()
    for (const declared of ['image/jpeg', 'image/png', 'application/pdf']) {
      expectRefusal(bytes, declared, 'document_kind_refused')
    }
  })

  test('is refused if it differs from the declared type', async () => {
    expectRefusal(await jpegFile(), 'image/png', 'document_kind_refused')
    expectRefusal(await pngFile(), 'application/pdf', 'document_kind_refused')
    expectRefusal(pdfFile(), 'image/jpeg', 'document_kind_refused')
    expectRefusal(await jpegFile(), 'image/svg+xml', 'document_kind_refused')
  })

  test('cannot be PDF for a face', () => {
    expectRefusal(pdfFile(), 'application/pdf', 'photo_kind_refused', 'selfie')
  })
})
