import { Refusal } from '#contract/errors.ts'
import type { ColumnMapping, ImportRequest } from '#contract/statements.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dayOf } from '#server/platform/days.ts'
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

/**
 * Reads a statement of another bank, which anybody may have written: nothing is looked up that it names, and each part of it is bounded.
 * Throws Refusal, of which each begins with `import_`.
 */
export function readFile(
  { clock }: Pick<Deps, 'clock'>,
  { content, mapping: given }: Pick<ImportRequest, 'content' | 'mapping'>,
  language: string | null,
): ReadFile {
  const text = textOf(Buffer.from(content, 'base64'))
  const today = dayOf(clock.businessNow())
  if (isOfx(text)) return { format: 'ofx', columns: [], mapping: null, ...paymentsOfOfx(text, today) }
  // Markup of another kind is no table either.
  if (/^\s*<[!?A-Za-z]/.test(text)) throw new Refusal('import_unreadable')
  const table = readTable(text)
  const mapping = given ?? guessMapping(table, language ?? SOURCE_LANGUAGE)
  const found = mapping ? paymentsOfTable(table, mapping, today) : { payments: [], skipped: 0 }
  return { format: 'csv', columns: describeColumns(table), mapping, ...found }
}
