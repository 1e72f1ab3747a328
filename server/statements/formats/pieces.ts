import type { StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

/** Where the lines stand in a document that is built without them. */
export const LINES_HERE = { LinesHere: '' }
const MARK = /^( *)<LinesHere><\/LinesHere>\n/m

/** A document in XML piece by piece, its lines in the place of `LINES_HERE`: none of it is ever whole in memory. */
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
  for await (const some of lines) {
    yield some.map((line) => build(elementOf(line)).replaceAll(/^(?=.)/gm, indent)).join('')
  }
  yield after
}
