import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { directionOf } from '#contract/languages.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'
import { type Box, type Direction, type Style, writeText } from '#server/platform/pdf/text.ts'

const INK = '#0f172a'
const MUTED = '#64748b'
const RULE = '#e2e8f0'
const BRAND = '#0f766e'
const MARGIN = 56
const LABEL_WIDTH = 150
const ROW_GAP = 13

/** As TrueType: the one form that needs no unpacking for each receipt. Latin, Greek and Cyrillic scripts, and Arabic. */
const FONTS = {
  regular: readFont(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: readFont(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  'regular-arabic': readFont(
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  ),
  'strong-arabic': readFont(
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  ),
}

const REGULAR = { latin: 'regular', arabic: 'regular-arabic' }
const STRONG = { latin: 'strong', arabic: 'strong-arabic' }

function readFont(url: string): Buffer {
  return readFileSync(fileURLToPath(url))
}

/** One A4 page that states a transaction as the ledger has it. */
export async function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, bookedAt, rows, footer } = receipt
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    info: {
      Title: title,
      Author: 'Alder',
      CreationDate: new Date(bookedAt),
      ModDate: new Date(bookedAt),
    },
  })
  if (directionOf(language) === 'rtl') readFromTheRight(doc)
  const chunks: Buffer[] = []
  const finished = new Promise<void>((done, fail) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', done)
    doc.on('error', fail)
  })
  for (const [name, font] of Object.entries(FONTS)) doc.registerFont(name, font)
  const page = { doc, direction: directionOf(language) }
  drawHeader(page, receipt)
  drawRows(page, rows, drawAmount(page, receipt))
  drawFooter(page, footer)
  doc.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}

/** Says so to PDF programs (ISO 32000-1, table 150): pdfkit has no option for it. */
function readFromTheRight(doc: PDFKit.PDFDocument): void {
  type Root = { data: { ViewerPreferences: { data: Record<string, unknown> } } }
  const { _root: root } = doc as unknown as { _root: Root }
  root.data.ViewerPreferences.data['Direction'] = 'R2L'
}

/** A page, and which way it is read: boxes are placed from where a line begins. */
type Page = { doc: PDFKit.PDFDocument; direction: Direction }

/** Where a box stands whose start is `start` from the edge at which lines begin. */
function placed({ doc, direction }: Page, { x: start, y, width }: Box): Box {
  return { x: direction === 'ltr' ? start : doc.page.width - start - width, y, width }
}

/** Writes text into a box; answers where the box ends. */
function write(page: Page, text: string, style: Style, box: Box): number {
  return writeText(page.doc, text, style, placed(page, box), page.direction)
}

const contentWidth = ({ doc }: Page) => doc.page.width - 2 * MARGIN

function rule({ doc }: Page, y: number): void {
  doc
    .moveTo(MARGIN, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.75)
    .stroke(RULE)
}

function drawHeader(page: Page, { heading }: Receipt): void {
  const width = contentWidth(page)
  const logo = placed(page, { x: MARGIN, y: MARGIN, width: 26 })
  page.doc.roundedRect(logo.x, logo.y, 26, 26, 7).fill(BRAND)
  const letter = { fonts: STRONG, size: 15, color: '#ffffff', align: 'center' } as const
  write(page, 'A', letter, { x: MARGIN, y: MARGIN + 4, width: 26 })
  write(page, 'Alder', { fonts: STRONG, size: 18, color: INK }, { x: MARGIN + 36, y: MARGIN + 2, width: width - 36 })
  const title = { fonts: REGULAR, size: 12, color: MUTED, align: 'end' } as const
  write(page, heading, title, { x: MARGIN, y: MARGIN + 6, width })
  rule(page, MARGIN + 46)
}

/** Answers where the next part of the page begins. */
function drawAmount(page: Page, { name, amount, status, completed }: Receipt): number {
  const at = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
  const align = 'center'
  let y = write(page, name, { fonts: REGULAR, size: 13, color: MUTED, align }, at(MARGIN + 78))
  y = write(page, amount, { fonts: STRONG, size: 32, color: INK, align }, at(y + 4))
  y = write(page, status, { fonts: STRONG, size: 12, color: completed ? BRAND : MUTED, align }, at(y + 4))
  return y + 34
}

function drawRows(page: Page, rows: Receipt['rows'], top: number): void {
  const left = MARGIN + LABEL_WIDTH
  let y = top
  rule(page, y)
  for (const [label, value] of rows) {
    const at = y + ROW_GAP
    write(page, label, { fonts: REGULAR, size: 11, color: MUTED }, { x: MARGIN, y: at, width: LABEL_WIDTH })
    const style = { fonts: STRONG, size: 11, color: INK, align: 'end' } as const
    y = write(page, value, style, { x: left, y: at, width: contentWidth(page) - LABEL_WIDTH }) + ROW_GAP
    rule(page, y)
  }
}

function drawFooter(page: Page, text: string): void {
  const box = { x: MARGIN, y: page.doc.page.height - MARGIN - 16, width: contentWidth(page) }
  write(page, text, { fonts: REGULAR, size: 9, color: MUTED, align: 'center' }, box)
}
