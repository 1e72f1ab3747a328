import type { CsvStyle, StatementFormat } from '#contract/statement-formats.ts'
import { camtOf } from '#server/statements/formats/camt.ts'
import { csvOf } from '#server/statements/formats/csv.ts'
import { ofxOf } from '#server/statements/formats/ofx.ts'
import { statementPdf } from '#server/statements/formats/pdf.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { Statement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

export type Rendering = {
  format: StatementFormat
  /** Of a CSV. */
  csv: CsvStyle
  statement: Statement
  words: StatementWords
  lines: ReadableStream<StatementLine[]>
  file: WritableStream<Uint8Array>
}

/**
 * Writes a statement as a file. Run in a thread of its own (files.ts), beside others: a long PDF takes half a minute. Lines
 * are read and pieces are written as fast as the file is taken, and no longer than somebody waits for it: then a write fails.
 */
export async function renderStatement({ lines, file, ...rendering }: Rendering): Promise<void> {
  const writer = file.getWriter()
  const wanted = { still: true }
  writer.closed.catch(() => (wanted.still = false))
  try {
    for await (const piece of piecesOf(rendering, whileWanted(lines, wanted))) {
      await writer.ready
      await writer.write(piece)
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}

/** Many lines may go into one piece: each time some are read, it is seen whether anybody still waits. */
async function* whileWanted(lines: StatementLines, wanted: { still: boolean }): AsyncGenerator<StatementLine[]> {
  for await (const some of lines) {
    if (!wanted.still) throw new Error('Nobody waits for the file any more')
    yield some
  }
}

type Described = Pick<Rendering, 'format' | 'csv' | 'statement' | 'words'>

function piecesOf({ format, csv, statement, words }: Described, lines: StatementLines): AsyncIterable<Uint8Array> {
  if (format === 'pdf') return statementPdf(statement, words, lines)
  if (format === 'csv') return inUtf8(csvOf(statement, lines, csv))
  return inUtf8(format === 'ofx' ? ofxOf(statement, lines) : camtOf(statement, lines))
}

async function* inUtf8(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const piece of pieces) yield utf8.encode(piece)
}
