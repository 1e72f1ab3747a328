import type { StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

/** A placeholder in a document that is built without its lines. The lines are inserted in its place. */
export const LINES_HERE = { LinesHere: '' }
const MARK = /^( *)<LinesHere><\/LinesHere>\n/m

/**
 * Yields an XML document piece by piece, with its lines in the place of `LINES_HERE`. The whole document is never in memory.
 */
export async function* xmlPieces(
  build: (document: object) => string,
  {
    document,
    lines,
    elementOf,
  }: { document: object; lines: StatementLines; elementOf: (line: StatementLine) => object },
): AsyncGenerator<string> {
  const [before = '', indent = '', after = ''] = build(document).split(MARK)
  yield before
  for await (const batch of lines) {
    yield batch.map((line) => build(elementOf(line)).replaceAll(/^(?=.)/gm, indent)).join('')
  }
  yield after
}
