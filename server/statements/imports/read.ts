import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ColumnMapping, ImportRequest } from '#contract/statements.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { FoundPayment } from '#server/statements/imports/found.ts'
import { describeColumns, guessMapping } from '#server/statements/imports/guess.ts'
import { isOfx, paymentsOfOfx } from '#server/statements/imports/ofx.ts'
import { paymentsOfTable, readTable } from '#server/statements/imports/table.ts'
import { textOf } from '#server/statements/imports/text.ts'

/** What a file has in it. */
export type ReadFile = {
  format: 'csv' | 'ofx'
  columns: { heading: string; samples: string[] }[]
  mapping: ColumnMapping | null
  payments: FoundPayment[]
  skipped: number
}

/** `today`: the business day. `language`: what the customer reads, where they have said so. */
export type Reading = Pick<ImportRequest, 'content' | 'mapping'> & { today: string; language: string | null }

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
function readFile({ content, mapping: given, today, language }: Reading): ReadFile {
  const text = textOf(Buffer.from(content, 'base64'))
  if (isOfx(text)) return { format: 'ofx', columns: [], mapping: null, ...paymentsOfOfx(text, today) }
  // Markup of another kind is no table either.
  if (/^\s*<[!?A-Za-z]/.test(text)) throw new Refusal('import_unreadable')
  const table = readTable(text)
  const mapping = given ?? guessMapping(table, language ?? SOURCE_LANGUAGE)
  const found = mapping ? paymentsOfTable(table, mapping, today) : { payments: [], skipped: 0 }
  return { format: 'csv', columns: describeColumns(table), mapping, ...found }
}
