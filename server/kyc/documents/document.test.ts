import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import type { KycStep } from '#contract/kyc.ts'
import { cleanDocument } from '#server/kyc/documents/document.ts'
import {
  annotatedPng,
  commentedJpeg,
  EMPTY_ZIP,
  hugePng,
  jpegFile,
  packedObjects,
  pdfFile,
  photoFile,
  pngFile,
} from '#server/test/files.ts'

async function expectRefusal(bytes: Buffer, declared: string, code: ErrorCode, step: KycStep = 'id'): Promise<void> {
  await expect(cleanDocument(bytes, step, declared)).rejects.toMatchObject({ code })
}

/** Which side of a kept picture is red: the one that was the left when it was taken. */
async function redSide(content: Buffer): Promise<string> {
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
  const isRed = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 0) > 128
  const [right, bottom] = [info.width - 1, info.height - 1]
  const sides = {
    left: [0, bottom >> 1],
    right: [right, bottom >> 1],
    top: [right >> 1, 0],
    bottom: [right >> 1, bottom],
  }
  return Object.entries(sides).find(([, [x = 0, y = 0]]) => isRed(x, y))?.[0] ?? 'none'
}

describe('a picture', () => {
  // EXIF 2.3, 4.6.4: where the stored left side belongs.
  test.each([
    [1, 'left'],
    [2, 'right'],
    [3, 'right'],
    [4, 'left'],
    [5, 'top'],
    [6, 'top'],
    [7, 'bottom'],
    [8, 'bottom'],
  ])('that was held as EXIF %i says is kept upright', async (orientation, side) => {
    const { content } = await cleanDocument(await photoFile(orientation), 'id', 'image/jpeg')
    expect(await redSide(content)).toBe(side)
  })

  test('is kept without its metadata: not where, not when, not with what it was taken', async () => {
    const photo = await photoFile(6)
    expect(photo.includes('Pocketphone')).toBe(true)
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const { mediaType, content } = await cleanDocument(photo, 'selfie', 'image/jpeg')
    expect(mediaType).toBe('image/jpeg')
    const { format, exif, xmp, iptc, icc, orientation } = await sharp(content).metadata()
    expect({ format, exif, xmp, iptc, icc, orientation }).toEqual({ format: 'jpeg' })
    for (const word of ['Exif', 'Pocketphone', 'Kitchen', 'GPS']) expect(content.includes(word)).toBe(false)
  })

  test('that is a PNG becomes a JPEG, what was clear becomes white', async () => {
    const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    const { content } = await cleanDocument(clear, 'id', 'image/png')
    const { data } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
  })

  test('larger than needed is made smaller, in its shape', async () => {
    const { content } = await cleanDocument(await jpegFile({ width: 6000, height: 4000 }), 'id', 'image/jpeg')
    expect(await sharp(content).metadata()).toMatchObject({ width: 2500, height: 1667 })
  })

  test('that moves is kept still: what follows its end is dropped', async () => {
    const film = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251))
    const photo = Buffer.concat([await photoFile(), Buffer.from('MotionPhoto_Data'), film])
    const { content } = await cleanDocument(photo, 'id', 'image/jpeg')
    expect(content.includes('MotionPhoto')).toBe(false)
    expect(content.length).toBeLessThan(20_000)
  })

  test('with XMP, a maker’s notes and a comment of any words is taken', async () => {
    const words = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><?xpacket end="w"?></x:xmpmeta> 5 < 6 <scripted by hand'
    const taken = await cleanDocument(await commentedJpeg(words.replace('<scripted', '< scripted')), 'id', 'image/jpeg')
    expect(taken.mediaType).toBe('image/jpeg')
  })

  test('of 30,000 by 30,000 pixels is refused before it is unpacked', async () => {
    const bomb = hugePng(30_000)
    const before = process.memoryUsage.rss()
    const startedAt = performance.now()
    await expectRefusal(bomb, 'image/png', 'document_unreadable')
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(process.memoryUsage.rss() - before).toBeLessThan(20_000_000)
  })

  test('that cannot be decoded line by line is refused where it would take much memory', async () => {
    const coarseFirst = await jpegFile({ width: 5000, height: 4000, progressive: true, chromaSubsampling: '4:4:4' })
    await expectRefusal(coarseFirst, 'image/jpeg', 'document_unreadable')
    await expectRefusal(
      await pngFile({ width: 5000, height: 4000, progressive: true }),
      'image/png',
      'document_unreadable',
    )
    const small = await jpegFile({ width: 3000, height: 2000, progressive: true })
    expect((await cleanDocument(small, 'id', 'image/jpeg')).mediaType).toBe('image/jpeg')
  })

  test.each([0.02, 0.3, 0.7, 0.99])('of which %f is there is refused', async (part) => {
    for (const [bytes, declared] of [
      [await jpegFile(), 'image/jpeg'],
      [await pngFile(), 'image/png'],
    ] as const) {
      await expectRefusal(
        bytes.subarray(0, Math.max(20, Math.floor(bytes.length * part))),
        declared,
        'document_unreadable',
      )
    }
  })

  test('whose insides are not what its beginning says is refused', async () => {
    const noise = Buffer.alloc(5000, 0xa5)
    await expectRefusal(
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise]),
      'image/jpeg',
      'document_unreadable',
    )
    await expectRefusal(Buffer.concat([(await pngFile()).subarray(0, 8), noise]), 'image/png', 'document_unreadable')
  })
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const tiny = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })

describe('anything else', () => {
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
    ['a program', () => Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
    ['a PDF with something before it', () => Buffer.concat([Buffer.from('\n'), pdfFile()])],
  ])('%s is refused, whatever it says it is', async (_, make) => {
    const bytes = await make()
    for (const declared of ['image/jpeg', 'image/png', 'application/pdf']) {
      await expectRefusal(bytes, declared, 'document_kind_refused')
    }
  })

  test('a file is what its content says: one that says otherwise is refused', async () => {
    await expectRefusal(await jpegFile(), 'image/png', 'document_kind_refused')
    await expectRefusal(await pngFile(), 'application/pdf', 'document_kind_refused')
    await expectRefusal(pdfFile(), 'image/jpeg', 'document_kind_refused')
    await expectRefusal(await jpegFile(), 'image/svg+xml', 'document_kind_refused')
  })

  test('a face is no PDF', async () => {
    await expectRefusal(pdfFile(), 'application/pdf', 'photo_kind_refused', 'selfie')
  })
})

describe('a file that is two things at once', () => {
  const PAGES = [
    '<script>alert(1)</script>',
    '<HTML>',
    '<svg onload=x>',
    '<?php echo 1 ?>',
    '<!DOCTYPE html>',
    '<ScRiPt src=x>',
  ]
  test.each(PAGES)('a picture with %s in it or after it', async (page) => {
    await expectRefusal(await commentedJpeg(page), 'image/jpeg', 'document_kind_refused')
    await expectRefusal(Buffer.concat([await jpegFile(), Buffer.from(page)]), 'image/jpeg', 'document_kind_refused')
    await expectRefusal(await annotatedPng(page), 'image/png', 'document_kind_refused')
    await expectRefusal(Buffer.concat([await pngFile(), Buffer.from(page)]), 'image/png', 'document_kind_refused')
  })

  test('a picture that readers of PDF take for theirs', async () => {
    await expectRefusal(await commentedJpeg('%PDF-1.7\n1 0 obj'), 'image/jpeg', 'document_kind_refused')
    await expectRefusal(await commentedJpeg('%PDF-1.7'), 'image/jpeg', 'photo_kind_refused', 'selfie')
  })

  test('a picture or a PDF that is an archive too', async () => {
    await expectRefusal(Buffer.concat([await jpegFile(), EMPTY_ZIP]), 'image/jpeg', 'document_kind_refused')
    await expectRefusal(Buffer.concat([await pngFile(), EMPTY_ZIP]), 'image/png', 'document_kind_refused')
    await expectRefusal(Buffer.concat([pdfFile(), EMPTY_ZIP]), 'application/pdf', 'document_kind_refused')
  })

  test('a PDF that begins or ends as a page', async () => {
    await expectRefusal(pdfFile('<html><script>1</script>'), 'application/pdf', 'document_kind_refused')
    await expectRefusal(
      Buffer.concat([pdfFile(), Buffer.from('<script>1</script>')]),
      'application/pdf',
      'document_kind_refused',
    )
  })
})

describe('a PDF', () => {
  test('is kept as it came', async () => {
    const bytes = pdfFile(packedObjects('1 0 << /Type /Font >>'), packedObjects('1 0 << >>', ''))
    expect(await cleanDocument(bytes, 'address', 'application/pdf')).toEqual({
      mediaType: 'application/pdf',
      content: bytes,
    })
  })

  test('that asks for a password is taken', async () => {
    const bytes = pdfFile(
      '<< /Filter /Standard /V 2 >>',
      '<< /Encrypt 4 0 R >>',
      packedObjects('\x01\x02', '/Filter /FlateDecode /DecodeParms << >>'),
    )
    expect((await cleanDocument(bytes, 'address', 'application/pdf')).mediaType).toBe('application/pdf')
  })

  test.each([
    ['runs a script', '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'],
    ['hides that it does', '<< /S /J#61vaScr#69pt /JS (x) >>'],
    ['starts a program', '<< /S /Launch /F (cmd.exe) >>'],
    ['carries a file', '<< /Type /EmbeddedFile >>'],
    ['carries files', '<< /Names << /EmbeddedFiles 5 0 R >> >>'],
    ['plays something', '<< /Subtype /RichMedia >>'],
    ['holds a form that is a program', '<< /XFA 5 0 R >>'],
    ['runs a script from packed objects', packedObjects('1 0 << /S /JavaScript /JS (x) >>')],
    ['runs a script from objects that are not packed', packedObjects('1 0 << /S /JavaScript >>', '')],
  ])('that %s is refused', async (_, object) => {
    await expectRefusal(pdfFile(object), 'application/pdf', 'document_active')
  })

  test.each([
    ['packs its objects twice', packedObjects('x', '/Filter [/ASCIIHexDecode /FlateDecode]')],
    ['shifts its objects', packedObjects('x', '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>')],
    ['breaks off in its objects', '<< /Type /ObjStm /Filter /FlateDecode >>\nstream\nnothing'],
    ['unpacks to more than anybody needs', packedObjects(' '.repeat(40 * 1024 * 1024))],
  ])('that %s is refused', async (_, object) => {
    await expectRefusal(pdfFile(object), 'application/pdf', 'document_unreadable')
  })

  test('without an end is refused', async () => {
    await expectRefusal(pdfFile().subarray(0, -8), 'application/pdf', 'document_unreadable')
    await expectRefusal(Buffer.concat([pdfFile(), Buffer.alloc(2000, 0x20)]), 'application/pdf', 'document_unreadable')
  })
})
