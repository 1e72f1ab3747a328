import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { Refusal } from '#contract/errors.ts'

/** More than a phone's camera takes within 10 MB; checked in the header, before anything is decoded. */
const MAX_PIXELS = 65_000_000
/** What a picture may take in memory where it cannot be decoded line by line, in bytes. */
const MAX_HELD_BYTES = 48 * 1024 * 1024
/** The longer side of what is kept, in pixels: 200 to the inch of a page of A4, at which small print is read. */
const KEPT_SIDE = 2500
const QUALITY = 85
const LIMIT_SECONDS = 10

// One thread for each picture, and no memory of the last ones: a burst of uploads takes time, not memory.
sharp.concurrency(1)
sharp.cache(false)
// No decoder but these can be reached, whatever a file pretends to be. SVG is for our own drawings.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadSvg'] })

const READING: SharpOptions = {
  limitInputPixels: MAX_PIXELS,
  sequentialRead: true,
  failOn: 'error',
  autoOrient: true,
}

/** How many samples there are to a pixel, where the colour of a JPEG is kept coarser than its light. */
const SAMPLES: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 }

/** What a picture that comes coarse first and fine later takes in memory until it is whole; 0 for any other. */
function heldBytes({ format, isProgressive, width, height, channels, depth, chromaSubsampling }: Metadata): number {
  if (!isProgressive) return 0
  const samples = (chromaSubsampling && SAMPLES[chromaSubsampling]) || channels
  const sampleBytes = format === 'jpeg' || depth === 'ushort' ? 2 : 1
  return width * height * samples * sampleBytes
}

/**
 * Decodes a picture and encodes it anew as a JPEG, upright and no larger than it need be: nothing else that was in the
 * file, its place and its camera among it, is left. Throws Refusal `document_unreadable`.
 */
export async function redraw(bytes: Buffer, format: 'jpeg' | 'png'): Promise<Buffer> {
  try {
    const metadata = await sharp(bytes, READING).metadata()
    if (metadata.format !== format || heldBytes(metadata) > MAX_HELD_BYTES) throw new Error('Not a picture to decode')
    return await sharp(bytes, READING)
      .resize({ width: KEPT_SIDE, height: KEPT_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      // Fine print in colour needs its colour as sharp as its light; finding the best code would hold all of it.
      .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4', optimiseCoding: false })
      .timeout({ seconds: LIMIT_SECONDS })
      .toBuffer()
  } catch (error) {
    throw new Refusal('document_unreadable', undefined, { cause: error })
  }
}
