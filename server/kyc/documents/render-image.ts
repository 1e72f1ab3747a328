import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { JPEG, KEPT_SIDE, NotRendered } from '#server/kyc/documents/rendering.ts'

/** More pixels than a phone's camera puts into 10 MB. The header is checked before anything is decoded. */
const MAX_PIXELS = 65_000_000
/** The memory limit, in bytes, for a picture that cannot be decoded line by line. */
const MAX_HELD_BYTES = 48 * 1024 * 1024

// One thread makes a file slower but leaves memory and processors to the rest of the bank.
sharp.concurrency(1)
sharp.cache(false)

const READING: SharpOptions = {
  limitInputPixels: MAX_PIXELS,
  sequentialRead: true,
  failOn: 'error',
  autoOrient: true,
}

/** The number of samples per pixel in a JPEG whose color has a lower resolution than its brightness. */
const SAMPLES: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 }

/**
 * Returns the memory that decoding a progressive JPEG or an interlaced PNG needs, in bytes. Returns 0 for any other picture.
 */
function heldBytes({ format, isProgressive, width, height, channels, depth, chromaSubsampling }: Metadata): number {
  if (!isProgressive) return 0
  const samples = (chromaSubsampling && SAMPLES[chromaSubsampling]) || channels
  const sampleBytes = format === 'jpeg' || depth === 'ushort' ? 2 : 1
  return width * height * samples * sampleBytes
}

/**
 * Decodes a picture and encodes it again as an upright JPEG, reduced to the kept size. Metadata such as place and camera is
 * dropped. Throws NotRendered.
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
