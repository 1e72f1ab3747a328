import type { Receipt } from '#server/accounts/receipt-words.ts'
import {
  BRAND,
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

const LABEL_WIDTH = 150
const ROW_GAP = 13

/** One A4 page that states a transaction as the ledger has it. */
export function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, bookedAt, rows, heading, footer } = receipt
  return pdfOf({ language, title, madeAt: bookedAt }, (page) => {
    drawHeader(page, heading)
    drawRows(page, rows, drawAmount(page, receipt))
    drawFooter(page, footer)
  })
}

/** Answers where the next part of the page begins. */
function drawAmount(page: Page, { name, amount, status, completed }: Receipt): number {
  const at = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
  const align = 'center'
  let y = write(page, name, { weight: 'regular', size: 13, color: MUTED, align }, at(MARGIN + 78))
  y = write(page, amount, { weight: 'strong', size: 32, color: INK, align }, at(y + 4))
  y = write(page, status, { weight: 'strong', size: 12, color: completed ? BRAND : MUTED, align }, at(y + 4))
  return y + 34
}

function drawRows(page: Page, rows: Receipt['rows'], top: number): void {
  const left = MARGIN + LABEL_WIDTH
  let y = top
  rule(page, y)
  for (const [label, value] of rows) {
    const at = y + ROW_GAP
    write(page, label, { weight: 'regular', size: 11, color: MUTED }, { x: MARGIN, y: at, width: LABEL_WIDTH })
    const style = { weight: 'strong', size: 11, color: INK, align: 'end' } as const
    y = write(page, value, style, { x: left, y: at, width: contentWidth(page) - LABEL_WIDTH }) + ROW_GAP
    rule(page, y)
  }
}
