import type { LoanStatement } from '#server/loans/statement/words.ts'
import { drawHeader, type Page, pdfOf } from '#server/platform/pdf/page.ts'
import { drawFacts, drawSums, openTable } from '#server/platform/pdf/parts.ts'

/** The share of the table's width for the date column. The columns of amounts share the remaining width equally. */
const DATE_SHARE = 0.26

/** Returns the statement of a loan as a PDF of A4 pages. */
export function loanStatementPdf(statement: LoanStatement): Promise<Uint8Array<ArrayBuffer>> {
  const { heading, terms, owed, tables } = statement
  return pdfOf(statement, async function* draw(page) {
    const facts = [...terms, ...owed]
    await page.prepare([...facts.map(([label]) => label), ...tables.flatMap(({ rows }) => rows.flat())])
    const heads = tables.flatMap((table) => [table.heading, ...table.columns])
    await page.prepare(['Alder', heading, ...heads, ...facts.map(([, value]) => value)], 'strong')
    let y = drawFacts(page, heading, terms, drawHeader(page, heading))
    y = drawSums(page, heading, owed, y + 4)
    for (const table of tables) {
      y = drawTable(page, heading, table, y + 24)
      yield
    }
  })
}

/** Draws the date and the amounts in columns. Returns the height at which the table ends on its last page. */
function drawTable(page: Page, heading: string, stated: LoanStatement['tables'][number], top: number): number {
  const amountShare = (1 - DATE_SHARE) / (stated.columns.length - 1)
  const columns = stated.columns.map((name, index) =>
    index === 0 ? { name, share: DATE_SHARE } : { name, share: amountShare, figures: true },
  )
  const table = openTable(page, { page: heading, table: stated.heading }, columns, top)
  for (const row of stated.rows) table.row(row.map((text) => ({ text })))
  return table.end()
}
