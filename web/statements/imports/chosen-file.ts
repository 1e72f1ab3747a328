import { Refusal } from '#contract/errors.ts'
import { MAX_IMPORT_BYTES } from '#contract/statement-formats.ts'
import type { ImportRequest } from '#contract/statements.ts'

/** The longest file name that the bank accepts, in characters. */
const MAX_NAME = 200

/** The values before the customer has chosen how a file is read. */
const NOTHING_SAID = {
  mapping: null,
  encoding: null,
  dateFormat: null,
  decimalMark: null,
  spending: null,
  alike: null,
} as const

/** A file in the form that the bank accepts, with its size in bytes and lines. */
export type ChosenImportFile = { request: ImportRequest; bytes: number; lines: number }

/** Reads a file. Throws Refusal `import_too_large` above the size limit, or `import_unreadable` if the file cannot be read. */
export async function readChosen(file: File): Promise<ChosenImportFile> {
  if (file.size > MAX_IMPORT_BYTES) throw new Refusal('import_too_large')
  try {
    const url = await asDataUrl(file)
    const fileName = file.name.replaceAll(/\p{C}/gu, '').slice(-MAX_NAME).toWellFormed() || 'statement'
    const request = { ...NOTHING_SAID, fileName, content: url.slice(url.indexOf(',') + 1) }
    return { request, bytes: file.size, lines: await linesOf(file) }
  } catch (cause) {
    throw new Refusal('import_unreadable', undefined, { cause })
  }
}

const LINE_FEED = 10

async function linesOf(file: File): Promise<number> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const lineCount = bytes.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0)
  return bytes.at(-1) === LINE_FEED ? lineCount : lineCount + 1
}

function asDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')))
    reader.readAsDataURL(file)
  })
}
