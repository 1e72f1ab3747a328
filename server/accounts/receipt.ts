import type { Receipt } from '#server/accounts/receipt-words.ts'
import {
  BRAND,
  contentWidth,
  drawHeader,
  hasRoom,
  INK,
  layOutText,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  pdfOf,
  drawRule,
  drawTint,
} from '#server/platform/pdf/page.ts'
import { MAX_LINES } from '#server/platform/pdf/parts.ts'

const LABEL_WIDTH = 150
const ROW_GAP = 10
const PAD = 24
/**
 * The maximum number of lines of a name at the top. A payer may choose a longer name, so a row below repeats the name in full.
 */
const NAME_LINES = 3

/** Makes the PDF of a receipt: one A4 page, and a second one if names and a note leave no room for the last rows. */
export function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, bookedAt, heading, footer, pageOf, name, amount, status, rows } = receipt
  return pdfOf({ language, title, madeAt: bookedAt, footer, pageOf }, async function* draw(page) {
    await page.prepare([heading, name, ...rows.map(([label]) => label)])
    await page.prepare(['Alder', heading, amount, status, ...rows.map(([, value]) => value)], 'strong')
    drawRows(page, receipt, drawAmount(page, receipt, drawHeader(page, heading)))
    yield
  })
}

/** Draws the amount and returns the start of the next part of the page. */
function drawAmount(page: Page, { name, amount, status, completed }: Receipt, top: number): number {
  const width = contentWidth(page) - 2 * PAD
  const color = completed ? BRAND : MUTED
  const lines = [
    layOutText(
      page,
      name,
      { weight: 'regular', size: 12, color: MUTED, align: 'center', linesMost: NAME_LINES },
      width,
    ),
    layOutText(page, amount, { weight: 'strong', size: 32, color: INK, align: 'center', oneLine: true }, width),
    layOutText(page, status, { weight: 'strong', size: 11, color, align: 'center' }, width),
  ]
  const height = lines.reduce((sum, line) => sum + line.height + 4, 2 * PAD - 4)
  drawTint(page, top, height, 16)
  let y = top + PAD
  for (const line of lines) {
    line.drawAt(MARGIN + PAD, y)
    y += line.height + 4
  }
  return top + height + 14
}

function drawRows(page: Page, { heading, rows }: Pick<Receipt, 'heading' | 'rows'>, top: number): void {
  const { structure } = page
  const valueLeft = MARGIN + LABEL_WIDTH
  let y = top
  structure.open('Table')
  for (const [index, [label, value]] of rows.entries()) {
    const name = layOutText(page, label, { weight: 'regular', size: 10.5, color: MUTED }, LABEL_WIDTH)
    const style = { weight: 'strong', size: 10.5, color: INK, align: 'end', linesMost: MAX_LINES } as const
    const laidOut = layOutText(page, value, style, contentWidth(page) - LABEL_WIDTH)
    const height = Math.max(name.height, laidOut.height) + 2 * ROW_GAP
    if (!hasRoom(page, y, height)) y = nextPage(page, heading)
    else if (index > 0) drawRule(page, y)
    structure.open('TR')
    structure.leaf('TH', () => name.drawAt(MARGIN, y + ROW_GAP), 'Row')
    structure.leaf('TD', () => laidOut.drawAt(valueLeft, y + ROW_GAP))
    structure.close()
    y += height
  }
  structure.close()
}
