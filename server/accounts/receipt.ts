import type { Receipt } from '#server/accounts/receipt-words.ts'
import {
  BRAND,
  contentWidth,
  drawHeader,
  hasRoom,
  INK,
  lay,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  pdfOf,
  rule,
  tint,
} from '#server/platform/pdf/page.ts'
import { LINES_MOST } from '#server/platform/pdf/parts.ts'

const LABEL_WIDTH = 150
const ROW_GAP = 10
const PAD = 24
/** The lines of a name at the top, which a row says again: a payer chose it. */
const NAME_LINES = 3

/** A transaction as the ledger has it: one A4 page, and another where names and a note leave no room for the last rows. */
export function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, bookedAt, heading, footer, pageOf, name, amount, status, rows } = receipt
  return pdfOf({ language, title, madeAt: bookedAt, footer, pageOf }, async function* draw(page) {
    await page.prepare([heading, name, ...rows.map(([label]) => label)])
    await page.prepare(['Alder', heading, amount, status, ...rows.map(([, value]) => value)], 'strong')
    drawRows(page, receipt, drawAmount(page, receipt, drawHeader(page, heading)))
    yield
  })
}

/** Answers where the next part of the page begins. */
function drawAmount(page: Page, { name, amount, status, completed }: Receipt, top: number): number {
  const width = contentWidth(page) - 2 * PAD
  const color = completed ? BRAND : MUTED
  const lines = [
    lay(page, name, { weight: 'regular', size: 12, color: MUTED, align: 'center', linesMost: NAME_LINES }, width),
    lay(page, amount, { weight: 'strong', size: 32, color: INK, align: 'center', oneLine: true }, width),
    lay(page, status, { weight: 'strong', size: 11, color, align: 'center' }, width),
  ]
  const height = lines.reduce((sum, line) => sum + line.height + 4, 2 * PAD - 4)
  tint(page, top, height, 16)
  let y = top + PAD
  for (const line of lines) {
    line.drawAt(MARGIN + PAD, y)
    y += line.height + 4
  }
  return top + height + 14
}

function drawRows(page: Page, { heading, rows }: Pick<Receipt, 'heading' | 'rows'>, top: number): void {
  const { structure } = page
  const left = MARGIN + LABEL_WIDTH
  let y = top
  structure.open('Table')
  for (const [index, [label, value]] of rows.entries()) {
    const name = lay(page, label, { weight: 'regular', size: 10.5, color: MUTED }, LABEL_WIDTH)
    const style = { weight: 'strong', size: 10.5, color: INK, align: 'end', linesMost: LINES_MOST } as const
    const said = lay(page, value, style, contentWidth(page) - LABEL_WIDTH)
    const height = Math.max(name.height, said.height) + 2 * ROW_GAP
    if (!hasRoom(page, y, height)) y = nextPage(page, heading)
    else if (index > 0) rule(page, y)
    structure.open('TR')
    structure.leaf('TH', () => name.drawAt(MARGIN, y + ROW_GAP), 'Row')
    structure.leaf('TD', () => said.drawAt(left, y + ROW_GAP))
    structure.close()
    y += height
  }
  structure.close()
}
