import type { Buffer as Bytes } from 'node:buffer'

// The underscores are pdfkit's.
/* oxlint-disable no-underscore-dangle */

/** The parts of pdfkit's documents that it has no methods for. */
type Stored = { id: number; write(data: Uint8Array): void; end(data?: string): void }
type Inside = {
  _ended: boolean
  _offset: number
  /** Where each object begins; of one that is packed, which pack it is in and where: see `packedAt`. */
  _offsets: (number | null)[]
  _root: unknown
  _info: unknown
  _id: unknown
  _finalize(): void
  _write(text: string): void
  ref(data: object): Stored
  push(end: null): void
}

/** Small objects of a document that are written many at a time (ISO 32000-1, 7.5.7). */
type Packed = {
  /** Answers the number of an object that is added later. */
  reserve(): number
  add(id: number, object: string): void
  /** Writes those that wait. */
  flush(): void
}

/** The objects of a pack. A program that looks for one of them reads them all. */
const PACK_MOST = 256

/** As a place in the list of what pdfkit has written: there, numbers below zero are nobody's. */
const packedAt = (pack: number, index: number): number => -(pack * PACK_MOST + index)

/**
 * A document's structure has five objects for each line of a statement. pdfkit by itself keeps each to the end and writes it with
 * twenty bytes that say where it begins: of ten thousand lines that is many times the text, and all of it in memory.
 */
export function packObjects(doc: PDFKit.PDFDocument): Packed {
  const inside = doc as unknown as Inside
  const waiting: { id: number; object: string }[] = []
  const flush = () => {
    if (waiting.length === 0) return
    const objects = waiting.splice(0)
    let length = 0
    const places = objects.map(({ id, object }) => {
      const place = `${id} ${length}`
      length += object.length + 1
      return place
    })
    const head = `${places.join(' ')}\n`
    const pack = inside.ref({ Type: 'ObjStm', N: objects.length, First: head.length })
    for (const [index, { id }] of objects.entries()) inside._offsets[id - 1] = packedAt(pack.id, index)
    pack.end(`${head}${objects.map(({ object }) => object).join('\n')}`)
  }
  inside._finalize = () => writePlaces(inside)
  return {
    reserve: () => inside._offsets.push(null),
    add(id, object) {
      waiting.push({ id, object })
      if (waiting.length === PACK_MOST) flush()
    },
    flush,
  }
}

/** Each entry has what it is, where, and where in that. */
const WIDTHS = [1, 4, 2] as const
const ENTRY = 7
const [FREE, WRITTEN, PACKED] = [0, 1, 2]

/** Says where each object is, in the one form that may say it of packed ones, and ends the file. */
function writePlaces(inside: Inside): void {
  // pdfkit would take the last object for a sign to end once more.
  inside._ended = false
  const start = inside._offset
  const { _root: Root, _info: Info, _id: id, _offsets: offsets } = inside
  const table = inside.ref({ Type: 'XRef', Size: offsets.length + 2, W: WIDTHS, Root, Info, ID: [id, id] })
  offsets[table.id - 1] = start
  const entries: Bytes = Buffer.alloc((offsets.length + 1) * ENTRY)
  for (const [index, offset] of offsets.entries()) {
    const at = (index + 1) * ENTRY
    if (offset === null) {
      entries.writeUInt8(FREE, at)
    } else if (offset >= 0) {
      entries.writeUInt8(WRITTEN, at)
      entries.writeUInt32BE(offset, at + 1)
    } else {
      entries.writeUInt8(PACKED, at)
      entries.writeUInt32BE(Math.floor(-offset / PACK_MOST), at + 1)
      entries.writeUInt16BE(-offset % PACK_MOST, at + 5)
    }
  }
  table.write(entries)
  table.end()
  inside._write(`startxref\n${start}\n%%EOF`)
  inside.push(null)
}
