import { Refusal } from '#contract/errors.ts'
import { MAX_IMPORT_BYTES } from '#contract/statement-formats.ts'
import type { ImportRequest } from '#contract/statements.ts'

/** The letters of a file's name that the bank takes. */
const NAME_MOST = 200

/** What the customer has said of a file so far. */
const NOTHING_SAID = {
  mapping: null,
  encoding: null,
  dateFormat: null,
  decimalMark: null,
  spending: null,
  alike: null,
} as const

/** A file as the bank takes it, and how many lines it has. */
export type Chosen = { request: ImportRequest; bytes: number; lines: number }

/** Opens a file. Throws Refusal `import_too_large`, and `import_unreadable` where it cannot be opened. */
export async function readChosen(file: File): Promise<Chosen> {
  if (file.size > MAX_IMPORT_BYTES) throw new Refusal('import_too_large')
  try {
    const url = await asDataUrl(file)
    const fileName = file.name.replaceAll(/\p{C}/gu, '').slice(-NAME_MOST).toWellFormed() || 'statement'
    const request = { ...NOTHING_SAID, fileName, content: url.slice(url.indexOf(',') + 1) }
    return { request, bytes: file.size, lines: await linesOf(file) }
  } catch (cause) {
    throw new Refusal('import_unreadable', undefined, { cause })
  }
}

const LINE_FEED = 10

async function linesOf(file: File): Promise<number> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const ends = bytes.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0)
  return bytes.at(-1) === LINE_FEED ? ends : ends + 1
}

function asDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')))
    reader.readAsDataURL(file)
  })
}
