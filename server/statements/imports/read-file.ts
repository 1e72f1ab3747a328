import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { ImportPreview, ImportRequest } from '#contract/statements.ts'
import { isCamt, paymentsOfCamt } from '#server/statements/imports/camt.ts'
import { guessMapping } from '#server/statements/imports/columns.ts'
import type { FoundInFile } from '#server/statements/imports/found-payments.ts'
import { isOfx, paymentsOfOfx } from '#server/statements/imports/ofx.ts'
import { paymentsOfTable } from '#server/statements/imports/rows.ts'
import { describeColumns, readTable } from '#server/statements/imports/table.ts'
import { decodeFile } from '#server/statements/imports/decode.ts'

/** The content of a file, how it was read, and the questions for the customer. */
export type ReadFile = FoundInFile &
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

/**
 * A file with its settings. `today`: the current business day. `language`: the customer's language, if the customer has
 * chosen one.
 */
export type FileToRead = Pick<
  ImportRequest,
  'content' | 'mapping' | 'encoding' | 'dateFormat' | 'decimalMark' | 'spending'
> & {
  today: string
  language: string | null
}

/** The content of a file, or the code of the Refusal for it. */
export type ReadOutcome = { read: ReadFile } | { refused: ErrorCode }

/**
 * Reads a file as `readFile` does. This function runs in a separate thread (imports.ts), because 1 MB of cells takes half a
 * second.
 */
export function readImport(reading: FileToRead): ReadOutcome {
  try {
    return { read: readFile(reading) }
  } catch (error) {
    // Errors lose their class on the way out of a thread.
    if (error instanceof Refusal) return { refused: error.code }
    throw error
  }
}

/**
 * Reads a statement of another bank. Its author is unknown, so external references are never followed, and each part has a
 * limit. Throws a Refusal whose code begins with `import_`.
 */
function readFile({ content, ...reading }: FileToRead): ReadFile {
  const language = reading.language ?? SOURCE_LANGUAGE
  const { text, encoding, isCertain } = decodeFile(Buffer.from(content, 'base64'), reading.encoding, language)
  const letters = { encoding, isEncodingCertain: isCertain }
  const entries = { ...letters, columns: [], mapping: null }
  if (isOfx(text)) return { format: 'ofx', ...entries, ...paymentsOfOfx(text, { ...reading, language }) }
  if (isCamt(text)) return { format: 'camt', ...entries, ...paymentsOfCamt(text, { ...reading, language }) }
  // Other markup is not a table.
  if (/^\s*<[!?A-Za-z]/.test(text)) throw new Refusal('import_unreadable')
  return { format: 'csv', ...letters, ...readCsv(text, { ...reading, language }) }
}

/** The settings that a table has in its mapping instead. */
const NO_ENTRIES = { dateFormat: null, decimalMark: null, spending: null }

function readCsv(
  text: string,
  { mapping: givenMapping, today, language }: Omit<FileToRead, 'content'> & { language: string },
) {
  const table = readTable(text)
  const { mapping, questions } = givenMapping
    ? { mapping: givenMapping, questions: [] }
    : guessMapping(table, { today, language })
  const isMarkSure = !questions.includes('decimalMark')
  const payments = mapping ? paymentsOfTable(table, mapping, { today, isMarkSure }) : { payments: [], leftOut: [] }
  return { columns: describeColumns(table), mapping, ...NO_ENTRIES, questions, ...payments }
}
