import type { CsvStyle, StatementFormat } from '#contract/statement-formats.ts'
import { camtOf } from '#server/statements/formats/camt.ts'
import { csvOf } from '#server/statements/formats/csv.ts'
import { ofxOf } from '#server/statements/formats/ofx.ts'
import { statementPdf } from '#server/statements/formats/pdf.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { AccountStatement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

export type Rendering = {
  format: StatementFormat
  /** The CSV style; other formats ignore it. */
  csv: CsvStyle
  statement: AccountStatement
  words: StatementWords
  lines: ReadableStream<StatementLine[]>
  file: WritableStream<Uint8Array>
}

/**
 * Writes a statement as a file. This function runs in a separate thread (render-in-thread.ts), because a long PDF takes half a
 * minute. It reads lines and writes pieces as fast as the recipient takes them. A write fails once the recipient has
 * disconnected.
 */
export async function renderStatement({ lines, file, ...rendering }: Rendering): Promise<void> {
  const writer = file.getWriter()
  const recipient = { still: true }
  writer.closed.catch(() => (recipient.still = false))
  try {
    for await (const piece of piecesOf(rendering, whileWanted(lines, recipient))) {
      await writer.ready
      await writer.write(piece)
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}

/**
 * Yields lines until the recipient disconnects. One piece of the file may contain many lines, so this is checked for each batch
 * of lines.
 */
async function* whileWanted(lines: StatementLines, recipient: { still: boolean }): AsyncGenerator<StatementLine[]> {
  for await (const batch of lines) {
    if (!recipient.still) throw new Error('The client left before the file was complete')
    yield batch
  }
}

type RenderingInput = Pick<Rendering, 'format' | 'csv' | 'statement' | 'words'>

function piecesOf({ format, csv, statement, words }: RenderingInput, lines: StatementLines): AsyncIterable<Uint8Array> {
  if (format === 'pdf') return statementPdf(statement, words, lines)
  if (format === 'csv') return inUtf8(csvOf(statement, lines, csv))
  return inUtf8(format === 'ofx' ? ofxOf(statement, lines) : camtOf(statement, lines))
}

async function* inUtf8(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const piece of pieces) yield utf8.encode(piece)
}
