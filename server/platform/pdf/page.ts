import { setImmediate as othersTurn } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { directionOf } from '#contract/languages.ts'
import { announceFonts, fontsOf, writeFonts } from '#server/platform/pdf/fonts.ts'
import { type Box, layText, type Sheet, type Style, writeText } from '#server/platform/pdf/text.ts'
import { scriptFonts, type Weight } from '#server/platform/pdf/script-fonts.ts'

/** A page, and what makes the fonts ready that texts need: before they are laid out. */
export type Page = Sheet & { prepare(texts: readonly string[], weight?: Weight): Promise<void> }

export const INK = '#0f172a'
export const MUTED = '#64748b'
export const BRAND = '#0f766e'
const RULE = '#e2e8f0'
export const MARGIN = 56

/** What a document says of itself. `madeAt`: business time. */
type About = {
  language: string
  title: string
  madeAt: string
  /** What stands at the foot of each page, where that is only known once all are drawn. */
  footer?: (page: number, pages: number) => string
}

/** Draws an A4 document, and answers it as a file. */
export async function pdfOf(about: About, draw: Draw): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.concat(await Array.fromAsync(pdfPieces(about, draw))))
}

/** Draws on a page, and on others that it turns to. It yields where others may have their turn. */
export type Draw = (page: Page) => AsyncIterable<void>

/** How much of a file is gathered before it is handed on, in bytes. */
const PIECE = 16 * 1024

/** How long a document is drawn before others have their turn, in milliseconds. */
const TURN_MS = 10

/** The same piece by piece: of what is drawn, only the pages since the last piece are in memory. */
export async function* pdfPieces(about: About, draw: Draw): AsyncGenerator<Buffer> {
  const doc = openDocument(about)
  const chunks: Buffer[] = []
  let [size, turn] = [0, performance.now()]
  const finished = new Promise<void>((done, fail) => {
    doc.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
    })
    doc.on('end', done)
    doc.on('error', fail)
  })
  const take = () => {
    size = 0
    return Buffer.concat(chunks.splice(0))
  }
  const others = scriptFonts(about.language)
  const page: Page = {
    doc,
    direction: directionOf(about.language),
    fonts: fontsOf(doc, others),
    prepare: (texts, weight = 'regular') => others.load(texts, weight),
  }
  async function* steps(): AsyncGenerator<void> {
    const { footer } = about
    const footers = footer ? await leaveRoomForFooters(page, footer) : null
    yield* draw(page)
    if (footers) yield* footers()
    yield* writeFonts(doc)
  }
  const drawing = steps()
  while (!(await drawing.next()).done) {
    if (size >= PIECE) yield take()
    if (performance.now() - turn < TURN_MS) continue
    await othersTurn()
    turn = performance.now()
  }
  doc.end()
  await finished
  yield take()
}

function openDocument({ language, title, madeAt }: About): PDFKit.PDFDocument {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: 'Alder', CreationDate: new Date(madeAt), ModDate: new Date(madeAt) },
  })
  if (directionOf(language) === 'rtl') readFromTheRight(doc)
  return doc
}

/** A part of a PDF document that is written at its end or before. */
type Part = { data: Record<string, unknown>; end(): void }
/** The parts of pdfkit's pages that it has no methods for. */
type PageInside = { content: Part; resources: Part; dictionary: Part }

/**
 * How many pages there are is known once all are drawn, and those before have been written by then. So each names a part that
 * comes after them all, with its footer; what is answered draws these.
 */
async function leaveRoomForFooters(
  page: Page,
  footer: NonNullable<About['footer']>,
): Promise<() => Generator<void, void, void>> {
  const { doc, fonts } = page
  // Every digit and word that any of them will have.
  const letters = footer(1_234_567_890, 1_234_567_890)
  await page.prepare([letters])
  const inside = () => doc.page as unknown as PageInside
  const footers: Part[] = []
  let latest: PageInside | null = null
  const leaveRoom = () => {
    // It has been written, and would be kept to the end with the names of all its fonts.
    if (latest) latest.resources.data = {}
    latest = inside()
    const part = (doc as unknown as { ref(data: object): Part }).ref({})
    latest.dictionary.data['Contents'] = [latest.content, part]
    announceFonts(doc, fonts, letters)
    footers.push(part)
  }
  doc.on('pageAdded', leaveRoom)
  leaveRoom()
  return function* drawFooters() {
    const last = inside()
    const { content } = last
    for (const [index, part] of footers.entries()) {
      last.content = part
      drawFooter(page, footer(index + 1, footers.length))
      part.end()
      yield
    }
    last.content = content
  }
}

/** Says so to PDF programs (ISO 32000-1, table 150): pdfkit has no option for it. */
function readFromTheRight(doc: PDFKit.PDFDocument): void {
  type Root = { data: { ViewerPreferences: { data: Record<string, unknown> } } }
  const { _root: root } = doc as unknown as { _root: Root }
  root.data.ViewerPreferences.data['Direction'] = 'R2L'
}

/** Where a box stands whose start is `start` from the edge at which lines begin. */
function placed({ doc, direction }: Page, { x: start, y, width }: Box): Box {
  return { x: direction === 'ltr' ? start : doc.page.width - start - width, y, width }
}

/** Writes text into a box; answers where the box ends. */
export function write(page: Page, text: string, style: Style, box: Box): number {
  return writeText(page, text, style, placed(page, box))
}

/** Lays text out in a width; it is drawn where `start` is from the edge at which lines begin. */
export function lay(page: Page, text: string, style: Style, width: number) {
  const { height, draw } = layText(page, text, style, width)
  return { height, drawAt: (start: number, y: number) => draw(placed(page, { x: start, y, width }).x, y) }
}

export const contentWidth = ({ doc }: Page) => doc.page.width - 2 * MARGIN

export function rule({ doc }: Page, y: number): void {
  doc
    .moveTo(MARGIN, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.75)
    .stroke(RULE)
}

/** The bank's name, and what the document is. */
export function drawHeader(page: Page, heading: string): void {
  const width = contentWidth(page)
  const logo = placed(page, { x: MARGIN, y: MARGIN, width: 26 })
  page.doc.roundedRect(logo.x, logo.y, 26, 26, 7).fill(BRAND)
  const letter = { weight: 'strong', size: 15, color: '#ffffff', align: 'center' } as const
  write(page, 'A', letter, { x: MARGIN, y: MARGIN + 4, width: 26 })
  write(page, 'Alder', { weight: 'strong', size: 18, color: INK }, { x: MARGIN + 36, y: MARGIN + 2, width: width - 36 })
  const title = { weight: 'regular', size: 12, color: MUTED, align: 'end' } as const
  write(page, heading, title, { x: MARGIN, y: MARGIN + 6, width })
  rule(page, MARGIN + 46)
}

/** Where a page begins below its header, in points from its top. */
export const TOP = MARGIN + 66
/** What is left below for the footer. */
const BOTTOM = MARGIN + 32

/** Whether what is so high, in points, stands above the footer if it begins at `y`. */
export const hasRoom = ({ doc }: Page, y: number, height: number): boolean => y + height <= doc.page.height - BOTTOM

/** Goes on to another page with that heading; answers where it begins. */
export function nextPage(page: Page, heading: string): number {
  page.doc.addPage()
  drawHeader(page, heading)
  return TOP
}

function drawFooter(page: Page, text: string): void {
  const box = { x: MARGIN, y: page.doc.page.height - MARGIN - 16, width: contentWidth(page) }
  write(page, text, { weight: 'regular', size: 9, color: MUTED, align: 'center' }, box)
}
