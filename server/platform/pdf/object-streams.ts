import type { Buffer as Bytes } from 'node:buffer'

// pdfkit's own names have the underscores.
/* oxlint-disable no-underscore-dangle */

/** Internal members of pdfkit's documents for which it has no public methods. */
type Stored = { id: number; write(data: Uint8Array): void; end(data?: string): void }
type WriterInternals = {
  _ended: boolean
  _offset: number
  /** The position of each object in the file. A packed object has its pack and its index there instead (`packedAt`). */
  _offsets: (number | null)[]
  _root: unknown
  _info: unknown
  _id: unknown
  _finalize(): void
  _write(text: string): void
  ref(data: object): Stored
  push(end: null): void
}

/** Small objects of a document, many of which are written together in one object stream (ISO 32000-1, 7.5.7). */
type ObjectStream = {
  /** Returns the number for an object that is added later. */
  reserve(): number
  add(id: number, object: string): void
  /** Writes the waiting objects. */
  flush(): void
}

/** The number of objects in a pack. A program that looks for one of them reads the whole pack. */
const MAX_PACK = 256

/** Encodes a pack and an index as one entry of pdfkit's list of positions. Negative numbers are unused there. */
const packedAt = (pack: number, index: number): number => -(pack * MAX_PACK + index)

/**
 * Packs a document's small objects. The structure has five objects for each line of a statement. pdfkit would keep each object
 * to the end and write it with a position of twenty bytes. For ten thousand lines, these objects would be many times as large
 * as the text, and all of them would be in memory.
 */
export function packObjects(doc: PDFKit.PDFDocument): ObjectStream {
  const inside = doc as unknown as WriterInternals
  const waitingObjects: { id: number; object: string }[] = []
  const flush = () => {
    if (waitingObjects.length === 0) return
    const objects = waitingObjects.splice(0)
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
      waitingObjects.push({ id, object })
      if (waitingObjects.length === MAX_PACK) flush()
    },
    flush,
  }
}

/** The widths of an entry's fields in bytes: the type, the position or pack, and the index in the pack. */
const WIDTHS = [1, 4, 2] as const
const ENTRY = 7
const [FREE, WRITTEN, PACKED] = [0, 1, 2]

/** Writes the cross-reference stream, the only form of the table of objects that allows packed ones, and ends the file. */
function writePlaces(inside: WriterInternals): void {
  // If `_ended` stayed true, pdfkit would end the file again after the last object.
  inside._ended = false
  const start = inside._offset
  const { _root: Root, _info: Info, _id: id, _offsets: offsets } = inside
  const table = inside.ref({ Type: 'XRef', Size: offsets.length + 2, W: WIDTHS, Root, Info, ID: [id, id] })
  offsets[table.id - 1] = start
  const entries: Bytes = Buffer.alloc((offsets.length + 1) * ENTRY)
  for (const [index, offset] of offsets.entries()) {
    const entryStart = (index + 1) * ENTRY
    if (offset === null) {
      entries.writeUInt8(FREE, entryStart)
    } else if (offset >= 0) {
      entries.writeUInt8(WRITTEN, entryStart)
      entries.writeUInt32BE(offset, entryStart + 1)
    } else {
      entries.writeUInt8(PACKED, entryStart)
      entries.writeUInt32BE(Math.floor(-offset / MAX_PACK), entryStart + 1)
      entries.writeUInt16BE(-offset % MAX_PACK, entryStart + 5)
    }
  }
  table.write(entries)
  table.end()
  inside._write(`startxref\n${start}\n%%EOF`)
  inside.push(null)
}
