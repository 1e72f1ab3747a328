import type { StatementFormat } from '#contract/statement-formats.ts'
import { camtOf } from '#server/statements/formats/camt.ts'
import { csvOf } from '#server/statements/formats/csv.ts'
import { ofxOf } from '#server/statements/formats/ofx.ts'
import { statementPdf } from '#server/statements/formats/pdf.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { Statement } from '#server/statements/reading/statement.ts'

export type Rendering = { format: StatementFormat; statement: Statement; words: StatementWords }

/** A statement as a file. Run in a thread of its own (files.ts): a long PDF takes a minute, the others a second at most. */
export async function renderStatement({ format, statement, words }: Rendering): Promise<Uint8Array<ArrayBuffer>> {
  if (format === 'pdf') return statementPdf(statement, words)
  const texts = { csv: csvOf, ofx: ofxOf, camt: camtOf }
  return new TextEncoder().encode(texts[format](statement))
}
