import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import type { Receipt } from '#server/accounts/receipt-words.ts'

const INK = '#0f172a'
const MUTED = '#64748b'
const RULE = '#e2e8f0'
const BRAND = '#0f766e'
const MARGIN = 56
const LABEL_WIDTH = 150
const ROW_GAP = 13

/** Inter, as TrueType: the one form that needs no unpacking for each receipt. Latin, Greek and Cyrillic scripts. */
const FONTS = {
  regular: readFont(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: readFont(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
}

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
  const chunks: Buffer[] = []
  const finished = new Promise<void>((done, fail) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', done)
    doc.on('error', fail)
  })
  for (const [name, font] of Object.entries(FONTS)) doc.registerFont(name, font)
  drawHeader(doc, receipt)
  drawRows(doc, rows, drawAmount(doc, receipt))
  drawFooter(doc, footer)
  doc.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}

type Document = PDFKit.PDFDocument
type Style = { font: 'regular' | 'strong'; size: number; color: string; align?: 'left' | 'center' | 'right' }
type Box = { x: number; y: number; width: number }

/** Writes text into a box as wide as told and as high as it takes; answers where the box ends. */
function write(doc: Document, text: string, { font, size, color, align = 'left' }: Style, box: Box): number {
  doc.font(font).fontSize(size).fillColor(color).text(text, box.x, box.y, { width: box.width, align })
  return doc.y
}

const contentWidth = (doc: Document) => doc.page.width - 2 * MARGIN

function rule(doc: Document, y: number): void {
  doc
    .moveTo(MARGIN, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.75)
    .stroke(RULE)
}

function drawHeader(doc: Document, { heading }: Receipt): void {
  const width = contentWidth(doc)
  doc.roundedRect(MARGIN, MARGIN, 26, 26, 7).fill(BRAND)
  write(
    doc,
    'A',
    { font: 'strong', size: 15, color: '#ffffff', align: 'center' },
    { x: MARGIN, y: MARGIN + 4, width: 26 },
  )
  write(doc, 'Alder', { font: 'strong', size: 18, color: INK }, { x: MARGIN + 36, y: MARGIN + 2, width })
  write(doc, heading, { font: 'regular', size: 12, color: MUTED, align: 'right' }, { x: MARGIN, y: MARGIN + 6, width })
  rule(doc, MARGIN + 46)
}

/** Answers where the next part of the page begins. */
function drawAmount(doc: Document, { name, amount, status, completed }: Receipt): number {
  const x = MARGIN
  const width = contentWidth(doc)
  const color = completed ? BRAND : MUTED
  let y = write(doc, name, { font: 'regular', size: 13, color: MUTED, align: 'center' }, { x, y: MARGIN + 78, width })
  y = write(doc, amount, { font: 'strong', size: 32, color: INK, align: 'center' }, { x, y: y + 4, width })
  y = write(doc, status, { font: 'strong', size: 12, color, align: 'center' }, { x, y: y + 4, width })
  return y + 34
}

function drawRows(doc: Document, rows: Receipt['rows'], top: number): void {
  const left = MARGIN + LABEL_WIDTH
  let y = top
  rule(doc, y)
  for (const [label, value] of rows) {
    const at = y + ROW_GAP
    write(doc, label, { font: 'regular', size: 11, color: MUTED }, { x: MARGIN, y: at, width: LABEL_WIDTH })
    const style = { font: 'strong', size: 11, color: INK, align: 'right' } as const
    y = write(doc, value, style, { x: left, y: at, width: contentWidth(doc) - LABEL_WIDTH }) + ROW_GAP
    rule(doc, y)
  }
}

function drawFooter(doc: Document, text: string): void {
  const box = { x: MARGIN, y: doc.page.height - MARGIN - 16, width: contentWidth(doc) }
  write(doc, text, { font: 'regular', size: 9, color: MUTED, align: 'center' }, box)
}
