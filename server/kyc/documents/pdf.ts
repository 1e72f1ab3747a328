import { promisify } from 'node:util'
import { constants, inflate } from 'node:zlib'
import { Refusal } from '#contract/errors.ts'
import { textOf } from '#server/kyc/documents/file-text.ts'
import { holdsPage, readsAsZip } from '#server/kyc/documents/markers.ts'
import { release } from '#server/platform/process/memory.ts'

/** Readers look for the end of a PDF this far from the end of the file (ISO 32000, annex H). */
const TAIL_BYTES = 1024
const HEAD_BYTES = 4096

/** What a PDF does beside being read: runs scripts, starts programs, carries other files, plays them. */
const ACTIVE_NAMES = ['JavaScript', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'Rendition', 'XFA']

/** A name, any letter of which may be written as # and two hexadecimal digits (ISO 32000, 7.3.5). */
function nameText(name: string): string {
  const letters = Array.from(name, (letter) => {
    const [high = '', low = ''] = (letter.codePointAt(0) ?? 0).toString(16)
    return `(?:${letter}|#${high}[${low}${low.toUpperCase()}])`
  })
  return `/${letters.join('')}(?![A-Za-z0-9])`
}

const ACTIVE = new RegExp(ACTIVE_NAMES.map(nameText).join('|'))
const PACKED_OBJECTS = new RegExp(nameText('ObjStm'), 'g')
const ENCRYPTED = new RegExp(nameText('Encrypt'))

/** How far a stream's dictionary may reach, on either side of its type. */
const DICTIONARY_BYTES = 2048
/** Objects packed into streams are unpacked up to this many bytes in all, and this many streams. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024
const MAX_PACKED = 4096

const unpack = promisify<Uint8Array, { maxOutputLength: number; finishFlush: number }, Buffer>(inflate)

/**
 * Checks a PDF, which the bank keeps as it is. Throws Refusal `document_kind_refused` where it is something else as
 * well, `document_unreadable` where it is not whole or hides what it holds, `document_active` where it does more than
 * being read. One that asks for a password is taken, as far as it can be looked into.
 */
export async function checkPdf(bytes: Buffer): Promise<void> {
  const end = bytes.lastIndexOf('%%EOF')
  if (end === -1 || end < bytes.length - TAIL_BYTES) throw new Refusal('document_unreadable')
  if (readsAsZip(bytes) || holdsPage(bytes.subarray(0, HEAD_BYTES)) || holdsPage(bytes.subarray(end)))
    throw new Refusal('document_kind_refused')
  let encrypted = false
  const packed = new Set<number>()
  for (const { start, text } of textOf(bytes)) {
    if (ACTIVE.test(text)) throw new Refusal('document_active')
    encrypted ||= ENCRYPTED.test(text)
    for (const { index } of text.matchAll(PACKED_OBJECTS)) packed.add(start + index)
    if (packed.size > MAX_PACKED) throw new Refusal('document_unreadable')
  }
  if (!encrypted) await checkPackedObjects(bytes, packed)
}

/** Looks at objects that a PDF keeps packed together (ISO 32000, 7.5.7): their names are not seen from outside. */
async function checkPackedObjects(bytes: Buffer, places: Set<number>): Promise<void> {
  let left = MAX_UNPACKED_BYTES
  for (const place of places) {
    const body = packedBody(bytes, place)
    if (!body) throw new Refusal('document_unreadable')
    const objects = body.plain ? body.bytes : await unpackUpTo(left, body.bytes)
    left -= objects.length
    for (const { text } of textOf(objects)) if (ACTIVE.test(text)) throw new Refusal('document_active')
    if (!body.plain) release(objects)
  }
}

async function unpackUpTo(maxOutputLength: number, packed: Buffer): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw new Refusal('document_unreadable', undefined, { cause: error })
  }
}

const STREAM = /stream\r?\n/
const FILTER = /\/Filter\s*(?:\[\s*)?\/(\w+)\s*(?:\]|\/|>>)/

/** The body of the stream whose type stands at `place`; null where it is packed in a way that nobody needs. */
function packedBody(bytes: Buffer, place: number): { bytes: Buffer; plain: boolean } | null {
  const after = bytes.toString('latin1', place, place + DICTIONARY_BYTES)
  const stream = STREAM.exec(after)
  if (!stream) return null
  const start = place + stream.index + stream[0].length
  const end = bytes.indexOf('endstream', start)
  if (end === -1) return null
  const before = bytes.toString('latin1', Math.max(0, place - DICTIONARY_BYTES), place)
  const dictionary = before.slice(before.lastIndexOf('obj') + 3) + after.slice(0, stream.index)
  const body = bytes.subarray(start, end)
  if (!dictionary.includes('/Filter')) return { bytes: body, plain: true }
  const filter = FILTER.exec(dictionary)?.[1]
  const known = (filter === 'FlateDecode' || filter === 'Fl') && !/\/(?:DecodeParms|DP)\b/.test(dictionary)
  return known ? { bytes: body, plain: false } : null
}
