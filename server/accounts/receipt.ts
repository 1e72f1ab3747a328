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
  write,
} from '#server/platform/pdf/page.ts'

const LABEL_WIDTH = 150
const ROW_GAP = 13
/** The lines of a name at the top, which a row says again, and of what a row says: a payer chose the name and the note. */
const NAME_LINES = 3
const VALUE_LINES = 6

/** A transaction as the ledger has it: one A4 page, and another where names and a note leave no room for the last rows. */
export function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, bookedAt, heading, footer, name, amount, status, rows } = receipt
  return pdfOf({ language, title, madeAt: bookedAt, footer: () => footer }, async function* draw(page) {
    await page.prepare([heading, name, ...rows.map(([label]) => label)])
    await page.prepare([amount, status, ...rows.map(([, value]) => value)], 'strong')
    drawHeader(page, heading)
    drawRows(page, receipt, drawAmount(page, receipt))
    yield
  })
}

/** Answers where the next part of the page begins. */
function drawAmount(page: Page, { name, amount, status, completed }: Receipt): number {
  const at = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
  const align = 'center'
  let y = write(
    page,
    name,
    { weight: 'regular', size: 13, color: MUTED, align, linesMost: NAME_LINES },
    at(MARGIN + 78),
  )
  y = write(page, amount, { weight: 'strong', size: 32, color: INK, align }, at(y + 4))
  y = write(page, status, { weight: 'strong', size: 12, color: completed ? BRAND : MUTED, align }, at(y + 4))
  return y + 34
}

function drawRows(page: Page, { heading, rows }: Pick<Receipt, 'heading' | 'rows'>, top: number): void {
  const left = MARGIN + LABEL_WIDTH
  let y = top
  rule(page, y)
  for (const [label, value] of rows) {
    const name = lay(page, label, { weight: 'regular', size: 11, color: MUTED }, LABEL_WIDTH)
    const style = { weight: 'strong', size: 11, color: INK, align: 'end', linesMost: VALUE_LINES } as const
    const said = lay(page, value, style, contentWidth(page) - LABEL_WIDTH)
    const height = Math.max(name.height, said.height) + 2 * ROW_GAP
    if (!hasRoom(page, y, height)) y = nextPage(page, heading)
    name.drawAt(MARGIN, y + ROW_GAP)
    said.drawAt(left, y + ROW_GAP)
    y += height
    rule(page, y)
  }
}
