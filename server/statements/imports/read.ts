import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { ImportPreview, ImportRequest } from '#contract/statements.ts'
import { isCamt, paymentsOfCamt } from '#server/statements/imports/camt.ts'
import { guessMapping } from '#server/statements/imports/columns.ts'
import type { Found } from '#server/statements/imports/found.ts'
import { isOfx, paymentsOfOfx } from '#server/statements/imports/ofx.ts'
import { paymentsOfTable } from '#server/statements/imports/rows.ts'
import { describeColumns, readTable } from '#server/statements/imports/table.ts'
import { textOf } from '#server/statements/imports/text.ts'

/** What a file has in it, how it was read, and what has to be asked. */
export type ReadFile = Found &
  Pick<
    ImportPreview,
    | 'format'
    | 'encoding'
    | 'isEncodingCertain'
    | 'columns'
    | 'mapping'
    | 'dateFormat'
    | 'decimalMark'
    | 'spending'
    | 'questions'
  >

/** `today`: the business day. `language`: what the customer reads, where they have said so. */
export type Reading = Pick<
  ImportRequest,
  'content' | 'mapping' | 'encoding' | 'dateFormat' | 'decimalMark' | 'spending'
> & {
  today: string
  language: string | null
}

/** What a file has in it, or the Refusal that it would throw where it is read in this thread. */
export type Outcome = { read: ReadFile } | { refused: ErrorCode }

/** Reads a file as `readFile` does. Run in a thread of its own (imports.ts): 1 MB of cells takes half a second. */
export function readApart(reading: Reading): Outcome {
  try {
    return { read: readFile(reading) }
  } catch (error) {
    // No error is still of its class once it comes out of a thread.
    if (error instanceof Refusal) return { refused: error.code }
    throw error
  }
}

/**
 * Reads a statement of another bank, which anybody may have written: nothing is looked up that it names, and each part of it is bounded.
 * Throws Refusal, of which each begins with `import_`.
 */
function readFile({ content, ...reading }: Reading): ReadFile {
  const language = reading.language ?? SOURCE_LANGUAGE
  const { text, encoding, isCertain } = textOf(Buffer.from(content, 'base64'), reading.encoding, language)
  const letters = { encoding, isEncodingCertain: isCertain }
  const entries = { ...letters, columns: [], mapping: null }
  if (isOfx(text)) return { format: 'ofx', ...entries, ...paymentsOfOfx(text, { ...reading, language }) }
  if (isCamt(text)) return { format: 'camt', ...entries, ...paymentsOfCamt(text, { ...reading, language }) }
  // Markup of another kind is no table either.
  if (/^\s*<[!?A-Za-z]/.test(text)) throw new Refusal('import_unreadable')
  return { format: 'csv', ...letters, ...readCsv(text, { ...reading, language }) }
}

/** What is said of a file that is no table. */
const NO_ENTRIES = { dateFormat: null, decimalMark: null, spending: null }

function readCsv(text: string, { mapping: said, today, language }: Omit<Reading, 'content'> & { language: string }) {
  const table = readTable(text)
  const { mapping, questions } = said ? { mapping: said, questions: [] } : guessMapping(table, { today, language })
  const isMarkSure = !questions.includes('decimalMark')
  const found = mapping ? paymentsOfTable(table, mapping, { today, isMarkSure }) : { payments: [], leftOut: [] }
  return { columns: describeColumns(table), mapping, ...NO_ENTRIES, questions, ...found }
}
