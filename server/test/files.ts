import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Files such as people (and others) upload, made when a test needs them. */

/** A picture: the left third red, the rest blue, so that one sees which way up it is. */
function picture(width: number, height: number) {
  const red = { create: { width: Math.floor(width / 3), height, channels: 3, background: '#d01010' } } as const
  const blue = sharp({ create: { width, height, channels: 3, background: '#1010d0' } })
  return blue.composite([{ input: red, left: 0, top: 0 }])
}

export function jpegFile({ width = 300, height = 200, progressive = false, chromaSubsampling = '4:2:0' } = {}) {
  return picture(width, height).jpeg({ progressive, chromaSubsampling }).toBuffer()
}

/** As a phone takes it: `orientation` as EXIF tells it, and where it was taken. */
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

/** A whole JPEG of just so many bytes: comments make up what the picture leaves. */
export async function largeJpeg(size: number): Promise<Buffer> {
  const jpeg = await jpegFile()
  const comments: Buffer[] = []
  for (let left = size - jpeg.length; left > 0;) {
    // What is left after this one must be room for another.
    const length = left <= MAX_COMMENT ? left : Math.min(MAX_COMMENT, left - EMPTY_COMMENT)
    comments.push(jpegComment('x'.repeat(length - EMPTY_COMMENT)))
    left -= length
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

/** A JPEG with a comment of these words. */
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

/** A whole, valid PNG of one bit a pixel: little to send, much to unpack. */
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

/** A PNG with a text chunk of these words. */
export async function annotatedPng(text: string): Promise<Buffer> {
  const png = await pngFile()
  const end = png.length - 12
  return Buffer.concat([png.subarray(0, end), pngChunk('tEXt', Buffer.from(`Comment\0${text}`)), png.subarray(end)])
}

/** A valid PNG with so many empty chunks in it. */
export async function chunkyPng(chunks: number): Promise<Buffer> {
  const png = await pngFile()
  const end = png.length - 12
  const empty = pngChunk('teSt', Buffer.alloc(0))
  return Buffer.concat([png.subarray(0, end), Buffer.alloc(chunks * empty.length, empty), png.subarray(end)])
}

/** What is said on a page of a PDF, such as pdfFile() takes. */
const OBJECTS_OF_A_PDF = 2

type PdfOptions = {
  /** What is drawn on each page; one empty page unless told. */
  pages?: string[]
  /** More of the catalog's dictionary, and of each page's. */
  catalog?: string
  page?: string
  /** More of the trailer's dictionary. */
  trailer?: string
  /** More objects, numbered from 100. */
  objects?: (string | Buffer)[]
}

/** A whole PDF. */
export function pdfOf({ pages = [''], catalog = '', page = '', trailer = '', objects = [] }: PdfOptions): Buffer {
  const first = OBJECTS_OF_A_PDF + 1
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`)
  const all: [number, string | Buffer][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`],
    ...pages.flatMap((drawing, index): [number, string][] => [
      [
        first + 2 * index,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + 1 + 2 * index} 0 R
            /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ${page} >>`,
      ],
      [first + 1 + 2 * index, `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    ]),
    ...objects.map((object, index): [number, string | Buffer] => [100 + index, object]),
  ]
  const bodies = all.flatMap(([number, object]) => [`${number} 0 obj\n`, object, '\nendobj\n'])
  const parts = ['%PDF-1.7\n', ...bodies, `trailer\n<< /Root 1 0 R ${trailer} >>\nstartxref\n0\n%%EOF\n`]
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

/** A PDF of one empty page, with more objects. */
export const pdfFile = (...objects: (string | Buffer)[]): Buffer => pdfOf({ objects })

/** Objects packed into a stream, as newer PDFs keep them. */
export function packedObjects(text: string, dictionary = '/Filter /FlateDecode'): Buffer {
  const body = dictionary.includes('/FlateDecode') ? deflateSync(Buffer.from(text)) : Buffer.from(text)
  const start = `<< /Type /ObjStm /N 1 /First 4 /Length ${body.length} ${dictionary} >>\nstream\n`
  return Buffer.concat([Buffer.from(start), body, Buffer.from('\nendstream')])
}

/** A PDF of `size` bytes in which so many uncompressed streams of objects all end where the file does. */
export function overlappingStreamsPdf(size: number, streams: number): Buffer {
  const one = '<< /Type /ObjStm /N 1 /First 4 >>\nstream\n'
  const begun = Array.from({ length: streams }, (_, index) => `${1000 + index} 0 obj\n${one}`).join('')
  return pdfFile(
    Buffer.concat([Buffer.from(begun), Buffer.alloc(size - begun.length - 2000, 0x20), Buffer.from('\nendstream')]),
  )
}

/** The end of a ZIP archive with nothing in it, which is a whole one. */
export const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
