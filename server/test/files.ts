import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Files that people upload, valid and hostile, created when a test needs them. */

/** Returns a picture with a red left third and blue rest, which shows its orientation. */
function picture(width: number, height: number) {
  const red = { create: { width: Math.floor(width / 3), height, channels: 3, background: '#d01010' } } as const
  const blue = sharp({ create: { width, height, channels: 3, background: '#1010d0' } })
  return blue.composite([{ input: red, left: 0, top: 0 }])
}

export function jpegFile({ width = 300, height = 200, progressive = false, chromaSubsampling = '4:2:0' } = {}) {
  return picture(width, height).jpeg({ progressive, chromaSubsampling }).toBuffer()
}

/** Returns a phone's photo with an EXIF orientation and location. */
export function photoFile(orientation = 1): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Pocketphone', ImageDescription: 'Kitchen table' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 2/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 5/1' },
  }
  return picture(300, 200).withExif(exif).withMetadata({ orientation }).jpeg().toBuffer()
}

export function pngFile({ width = 300, height = 200, progressive = false } = {}): Promise<Buffer> {
  return picture(width, height).png({ progressive }).toBuffer()
}

/** Returns a complete JPEG of exactly this many bytes; comments fill up the size. */
export async function largeJpeg(size: number): Promise<Buffer> {
  const jpeg = await jpegFile()
  const comments: Buffer[] = []
  for (let remaining = size - jpeg.length; remaining > 0;) {
    // The rest after this comment must have room for another comment.
    const length = remaining <= MAX_COMMENT ? remaining : Math.min(MAX_COMMENT, remaining - EMPTY_COMMENT)
    comments.push(jpegComment('x'.repeat(length - EMPTY_COMMENT)))
    remaining -= length
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)])
}

const EMPTY_COMMENT = 4
const MAX_COMMENT = 65_000

function jpegComment(text: string): Buffer {
  const comment = Buffer.alloc(4 + text.length)
  comment.writeUInt16BE(0xfffe, 0)
  comment.writeUInt16BE(2 + text.length, 2)
  comment.write(text, 4, 'latin1')
  return comment
}

/** Returns a JPEG with a comment of this text. */
export async function commentedJpeg(text: string): Promise<Buffer> {
  const jpeg = await jpegFile()
  return Buffer.concat([jpeg.subarray(0, 2), jpegComment(text), jpeg.subarray(2)])
}

function pngChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length)
  chunk.writeUInt32BE(content.length, 0)
  chunk.write(name, 4, 'latin1')
  content.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length)
  return chunk
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns a valid PNG with one bit per pixel: small to send, large to unpack. */
export function hugePng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)))
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a PNG with a text chunk of this text. */
export async function annotatedPng(text: string): Promise<Buffer> {
  const png = await pngFile()
  const end = png.length - 12
  return Buffer.concat([png.subarray(0, end), pngChunk('tEXt', Buffer.from(`Comment\0${text}`)), png.subarray(end)])
}

/** Returns a valid PNG with a number of empty chunks. */
export async function chunkyPng(chunks: number): Promise<Buffer> {
  const png = await pngFile()
  const end = png.length - 12
  const empty = pngChunk('teSt', Buffer.alloc(0))
  return Buffer.concat([png.subarray(0, end), Buffer.alloc(chunks * empty.length, empty), png.subarray(end)])
}

/** The number of objects before the pages of a PDF: the catalog and the page tree. */
const OBJECTS_OF_A_PDF = 2

type PdfOptions = {
  /** The drawing commands of each page; one empty page by default. */
  pages?: string[]
  /** Further entries of the catalog's dictionary and of each page's. */
  catalog?: string
  page?: string
  /** Further entries of the trailer's dictionary. */
  trailer?: string
  /** Further objects, numbered from 100. */
  objects?: (string | Buffer)[]
}

/** Returns a complete PDF. */
export function pdfWithPages({
  pages = [''],
  catalog = '',
  page = '',
  trailer = '',
  objects = [],
}: PdfOptions): Buffer {
  const firstPageNumber = OBJECTS_OF_A_PDF + 1
  const kids = pages.map((_, index) => `${firstPageNumber + 2 * index} 0 R`)
  const numberedObjects: [number, string | Buffer][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`],
    ...pages.flatMap((drawing, index): [number, string][] => [
      [
        firstPageNumber + 2 * index,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${firstPageNumber + 1 + 2 * index} 0 R
            /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ${page} >>`,
      ],
      [firstPageNumber + 1 + 2 * index, `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    ]),
    ...objects.map((object, index): [number, string | Buffer] => [100 + index, object]),
  ]
  const bodies = numberedObjects.flatMap(([number, object]) => [`${number} 0 obj\n`, object, '\nendobj\n'])
  const parts = ['%PDF-1.7\n', ...bodies, `trailer\n<< /Root 1 0 R ${trailer} >>\nstartxref\n0\n%%EOF\n`]
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

/** Returns a PDF with one empty page and further objects. */
export const pdfFile = (...objects: (string | Buffer)[]): Buffer => pdfWithPages({ objects })

/** Packs objects into a stream, as newer PDFs do. */
export function packedObjectsPdf(text: string, dictionary = '/Filter /FlateDecode'): Buffer {
  const body = dictionary.includes('/FlateDecode') ? deflateSync(Buffer.from(text)) : Buffer.from(text)
  const start = `<< /Type /ObjStm /N 1 /First 4 /Length ${body.length} ${dictionary} >>\nstream\n`
  return Buffer.concat([Buffer.from(start), body, Buffer.from('\nendstream')])
}

/** Returns a PDF of almost `size` bytes with overlapping uncompressed object streams. All end near the end of the file. */
export function overlappingStreamsPdf(size: number, streams: number): Buffer {
  const streamStart = '<< /Type /ObjStm /N 1 /First 4 >>\nstream\n'
  const objects = Array.from({ length: streams }, (_, index) => `${1000 + index} 0 obj\n${streamStart}`).join('')
  return pdfFile(
    Buffer.concat([Buffer.from(objects), Buffer.alloc(size - objects.length - 2000, 0x20), Buffer.from('\nendstream')]),
  )
}

/** The end record of an empty ZIP archive, which is a complete archive. */
export const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
