import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { JPEG, KEPT_SIDE, NotRendered } from '#server/kyc/documents/rendering.ts'

/** More than a phone's camera takes within 10 MB; checked in the header, before anything is decoded. */
const MAX_PIXELS = 65_000_000
/** What a picture may take in memory where it cannot be decoded line by line, in bytes. */
const MAX_HELD_BYTES = 48 * 1024 * 1024

// One thread: a file takes time, and neither memory nor the processors that serve everybody else.
sharp.concurrency(1)
sharp.cache(false)
// No decoder but these can be reached, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })

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
 * Decodes a picture and encodes it again as a JPEG, upright and no larger than it need be: nothing else that was in the
 * file, such as where and with what it was taken, is left. Throws NotRendered.
 */
export async function renderImage(bytes: Buffer, format: 'jpeg' | 'png'): Promise<Buffer> {
  try {
    const metadata = await sharp(bytes, READING).metadata()
    if (metadata.format !== format || heldBytes(metadata) > MAX_HELD_BYTES) throw new NotRendered('unreadable')
    return await sharp(bytes, READING)
      .resize({ width: KEPT_SIDE, height: KEPT_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg(JPEG)
      .toBuffer()
  } catch (error) {
    throw error instanceof NotRendered ? error : new NotRendered('unreadable', { cause: error })
  }
}
