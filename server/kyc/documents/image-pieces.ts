/**
 * What an image file holds beside the picture: its metadata, and whatever comes after its end. The walk is along the
 * marks of the format, so that the picture itself, which is compressed and may look like anything, is left out.
 */

/** The pieces of a JPEG (ITU T.81, annex B). The last is what follows its end; without one the file is cut off. */
export function* jpegPieces(bytes: Buffer): Generator<Buffer, 'whole' | 'cut off'> {
  let at = 2
  while (at + 4 <= bytes.length || bytes[at + 1] === 0xd9) {
    if (bytes[at] !== 0xff) return 'cut off'
    const mark = bytes[at + 1] ?? 0
    if (mark === 0xd9) {
      yield bytes.subarray(at + 2)
      return 'whole'
    }
    // Bytes that fill up, and marks that stand alone.
    if (mark === 0xff) at += 1
    else if (mark === 0x01 || (mark >= 0xd0 && mark <= 0xd7)) at += 2
    else {
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      yield bytes.subarray(at + 4, end)
      at = mark === 0xda ? endOfScan(bytes, end) : end
    }
  }
  return 'cut off'
}

/** Where the next mark after a stretch of the picture is. Within one, 0xff is followed by a zero or a restart mark. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** The pieces of a PNG (ISO/IEC 15948, clause 5): its chunks but for the picture's, then what follows the last. */
export function* pngPieces(bytes: Buffer): Generator<Buffer, 'whole' | 'cut off'> {
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'IEND') {
      yield bytes.subarray(end + 4)
      return 'whole'
    }
    if (name !== 'IDAT') yield bytes.subarray(at + 8, end)
    at = end + 4
  }
  return 'cut off'
}
