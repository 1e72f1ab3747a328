import type { LoanStatement } from '#server/loans/statement/words.ts'
import {
  contentWidth,
  drawHeader,
  hasRoom,
  INK,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  pdfOf,
  rule,
  TOP,
  write,
} from '#server/platform/pdf/page.ts'

const LABEL_WIDTH = 180
const ROW_GAP = 5
/** What a row takes at least, and a table's heading with its first rows. */
const ROW_HEIGHT = 12
const HEAD_HEIGHT = 92

/** As many A4 pages as it takes to state a loan. */
export function loanStatementPdf(statement: LoanStatement): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, madeAt, heading, footer, terms, tables } = statement
  return pdfOf({ language, title, madeAt, footer: () => footer }, async function* draw(page) {
    const cells = tables.flatMap((table) => [...table.columns, ...table.rows.flat()])
    await page.prepare([heading, ...terms.map(([label]) => label), ...cells])
    await page.prepare([...terms.map(([, value]) => value), ...tables.map((table) => table.heading)], 'strong')
    drawHeader(page, heading)
    let y = TOP
    for (const [label, value] of terms) {
      write(page, label, { weight: 'regular', size: 10, color: MUTED }, { x: MARGIN, y, width: LABEL_WIDTH })
      const box = { x: MARGIN + LABEL_WIDTH, y, width: contentWidth(page) - LABEL_WIDTH }
      y = write(page, value, { weight: 'strong', size: 10, color: INK, align: 'end' }, box) + ROW_GAP
    }
    for (const table of tables) {
      y = drawTable(page, heading, table, y + 18)
      yield
    }
  })
}

/** Answers where it ends, on whichever page that is. */
function drawTable(page: Page, heading: string, table: LoanStatement['tables'][number], top: number): number {
  let y = roomFor(page, heading, top, HEAD_HEIGHT)
  const head = { x: MARGIN, y, width: contentWidth(page) }
  y = write(page, table.heading, { weight: 'strong', size: 12, color: INK }, head) + 8
  y = drawRow(page, table.columns, y, MUTED)
  for (const row of table.rows) y = drawRow(page, row, roomFor(page, heading, y, ROW_HEIGHT), INK)
  return y
}

/** Where the next part begins: here, or on a new page where there is no room for it. */
const roomFor = (page: Page, heading: string, y: number, height: number): number =>
  hasRoom(page, y, height) ? y : nextPage(page, heading)

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
