import type { LoanStatement } from '#server/loans/statement/words.ts'
import {
  contentWidth,
  drawFooter,
  drawHeader,
  INK,
  MARGIN,
  MUTED,
  type Page,
  pdfOf,
  rule,
  write,
} from '#server/platform/pdf/page.ts'

const TOP = MARGIN + 66
const LABEL_WIDTH = 180
const ROW_GAP = 5
/** What is left for the footer and the row above it. */
const BOTTOM = MARGIN + 44

/** As many A4 pages as it takes to state a loan. */
export function loanStatementPdf(statement: LoanStatement): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, madeAt, terms, tables } = statement
  return pdfOf({ language, title, madeAt }, (page) => {
    drawFrame(page, statement)
    let y = TOP
    for (const [label, value] of terms) {
      write(page, label, { weight: 'regular', size: 10, color: MUTED }, { x: MARGIN, y, width: LABEL_WIDTH })
      const box = { x: MARGIN + LABEL_WIDTH, y, width: contentWidth(page) - LABEL_WIDTH }
      y = write(page, value, { weight: 'strong', size: 10, color: INK, align: 'end' }, box) + ROW_GAP
    }
    for (const table of tables) y = drawTable(page, statement, table, y + 18)
  })
}

function drawFrame(page: Page, { heading, footer }: LoanStatement): void {
  drawHeader(page, heading)
  drawFooter(page, footer)
}

/** Answers where it ends, on whichever page that is. */
function drawTable(page: Page, statement: LoanStatement, table: LoanStatement['tables'][number], top: number): number {
  let y = roomFor(page, statement, top, 80)
  const head = { x: MARGIN, y, width: contentWidth(page) }
  y = write(page, table.heading, { weight: 'strong', size: 12, color: INK }, head) + 8
  y = drawRow(page, table.columns, y, MUTED)
  for (const row of table.rows) y = drawRow(page, row, roomFor(page, statement, y, 0), INK)
  return y
}

/** Where the next part begins: here, or on a new page where there is no room for it. */
function roomFor(page: Page, statement: LoanStatement, y: number, height: number): number {
  if (y + height <= page.doc.page.height - BOTTOM) return y
  page.doc.addPage()
  drawFrame(page, statement)
  return TOP
}

/** The date, and then the amounts, each in a column of its own. */
function drawRow(page: Page, cells: readonly string[], y: number, color: string): number {
  const width = contentWidth(page) / cells.length
  const ends = cells.map((cell, index) => {
    const align = index === 0 ? 'start' : 'end'
    return write(page, cell, { weight: 'regular', size: 9, color, align }, { x: MARGIN + index * width, y, width })
  })
  const end = Math.max(...ends) + ROW_GAP
  rule(page, end - ROW_GAP / 2)
  return end
}
