import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { renderImage } from '#server/kyc/documents/render-image.ts'
import { EXIT } from '#server/kyc/documents/rendering.ts'
import { annotatedPng, commentedJpeg, EMPTY_ZIP, hugePng, jpegFile, photoFile, pngFile } from '#server/test/files.ts'

async function expectRefusal(bytes: Buffer, format: 'jpeg' | 'png'): Promise<void> {
  await expect(renderImage(bytes, format)).rejects.toMatchObject({ exitCode: EXIT.unreadable })
}

/** Returns the side of a stored picture that is red. The red side was on the left when the picture was taken. */
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
  // The side to which EXIF orientation (EXIF 2.3, section 4.6.4) moves the stored left side.
  test.each([
    [1, 'left'],
    [2, 'right'],
    [3, 'right'],
    [4, 'left'],
    [5, 'top'],
    [6, 'top'],
    [7, 'bottom'],
    [8, 'bottom'],
  ])('with EXIF orientation %i is stored upright', async (orientation, side) => {
    const content = await renderImage(await photoFile(orientation), 'jpeg')
    expect(await redSide(content)).toBe(side)
  })

  test('is stored without its metadata: location, time and camera', async () => {
    const photo = await photoFile(6)
    expect(photo.includes('Pocketphone')).toBe(true)
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const content = await renderImage(photo, 'jpeg')
    const { format, exif, xmp, iptc, icc, orientation } = await sharp(content).metadata()
    expect({ format, exif, xmp, iptc, icc, orientation }).toEqual({ format: 'jpeg' })
    for (const word of ['Exif', 'Pocketphone', 'Kitchen', 'GPS']) expect(content.includes(word)).toBe(false)
  })

  test('that is a PNG becomes a JPEG, with transparency made white', async () => {
    const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    const content = await renderImage(clear, 'png')
    const { data } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
  })

  test('larger than needed is scaled down in proportion', async () => {
    const content = await renderImage(await jpegFile({ width: 6000, height: 4000 }), 'jpeg')
    expect(await sharp(content).metadata()).toMatchObject({ width: 2500, height: 1667 })
  })

  test('with an appended video is stored without it', async () => {
    const film = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251))
    const photo = Buffer.concat([await photoFile(), Buffer.from('MotionPhoto_Data'), film])
    const content = await renderImage(photo, 'jpeg')
    expect(content.includes('MotionPhoto')).toBe(false)
    expect(content.length).toBeLessThan(20_000)
  })

  test.each([
    ['an arbitrary comment', () => commentedJpeg('<script>alert(1)</script>'), 'jpeg'],
    ['the beginning of a PDF', () => commentedJpeg('%PDF-1.7\n1 0 obj'), 'jpeg'],
    ['an HTML page in its metadata', () => annotatedPng('<html><script>alert(1)</script>'), 'png'],
    ['an archive after its end', async () => Buffer.concat([await jpegFile(), EMPTY_ZIP]), 'jpeg'],
  ] as const)('with %s is stored without it', async (_, make, format) => {
    const content = await renderImage(await make(), format)
    for (const word of ['script', 'PDF', 'PK\x05\x06']) expect(content.includes(word)).toBe(false)
    expect((await sharp(content).metadata()).format).toBe('jpeg')
  })

  test('of 30,000 by 30,000 pixels is refused', async () => {
    await expectRefusal(hugePng(30_000), 'png')
  })

  test('that cannot be decoded line by line is refused if it needs too much memory', async () => {
    const coarseFirst = await jpegFile({ width: 5000, height: 4000, progressive: true, chromaSubsampling: '4:4:4' })
    await expectRefusal(coarseFirst, 'jpeg')
    await expectRefusal(await pngFile({ width: 5000, height: 4000, progressive: true }), 'png')
    const small = await jpegFile({ width: 3000, height: 2000, progressive: true })
    expect((await sharp(await renderImage(small, 'jpeg')).metadata()).width).toBe(2500)
  })

  test.each([0.02, 0.3, 0.7, 0.99])('of which only %f is present is refused', async (part) => {
    for (const [bytes, format] of [
      [await jpegFile(), 'jpeg'],
      [await pngFile(), 'png'],
    ] as const) {
      await expectRefusal(bytes.subarray(0, Math.max(20, Math.floor(bytes.length * part))), format)
    }
  })

  test('whose content does not match its header is refused', async () => {
    const noise = Buffer.alloc(5000, 0xa5)
    await expectRefusal(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise]), 'jpeg')
    await expectRefusal(Buffer.concat([(await pngFile()).subarray(0, 8), noise]), 'png')
  })

  test('is read only by the decoder of its type', async () => {
    for (const make of ['gif', 'webp', 'tiff', 'avif'] as const) {
      const tiny = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } }).toFormat(make)
      await expectRefusal(await tiny.toBuffer(), 'jpeg')
    }
    await expectRefusal(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'png')
    await expectRefusal(await pngFile(), 'jpeg')
  })
})
