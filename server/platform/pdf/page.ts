import { setImmediate as othersTurn } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { directionOf } from '#contract/languages.ts'
import { COLORS } from '#server/platform/brand/brand.ts'
import { drawMark, drawRings, type Pictures, picturesOf } from '#server/platform/pdf/brand.ts'
import { announceFonts, fontsOf, writeFonts } from '#server/platform/pdf/fonts.ts'
import { type Structure, structureOf } from '#server/platform/pdf/structure.ts'
import { type Box, layText, type Sheet, type Style } from '#server/platform/pdf/text.ts'
import { scriptFonts, type Weight } from '#server/platform/pdf/script-fonts.ts'

/** A page with its document's structure. `prepare` loads the fonts of texts; it must run before they are laid out. */
export type Page = Sheet & {
  structure: Structure
  pictures: Pictures
  prepare(texts: readonly string[], weight?: Weight): Promise<void>
}

/** The app's colors of the light mode, because a document is paper. */
export const INK = COLORS.ink[0]
export const MUTED = COLORS['ink-soft'][0]
export const BRAND = COLORS.primary[0]
const PAPER = COLORS.canvas[0]
const RULE = COLORS.line[0]
export const MARGIN = 56

/** The metadata of a document. `madeAt`: the business time at which the document is made. */
type DocumentInfo = {
  language: string
  title: string
  madeAt: string
  /** The text at the bottom of each page. */
  footer: string
  /** 'Page {page} of {pages}'. The number of pages is known once all pages are drawn. */
  pageOf: string
}

/** Draws an A4 document and returns it as a file. */
export async function pdfOf(about: DocumentInfo, draw: Draw): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.concat(await Array.fromAsync(pdfPieces(about, draw))))
}

/**
 * Draws on a page and on further pages. It yields at the points where other work may run; a yielded text becomes a comment in
 * the file.
 */
export type Draw = (page: Page) => AsyncIterable<string | void>

/** The number of bytes of a file that are gathered into one piece. */
const PIECE = 16 * 1024

/** The time for which a document is drawn before other work runs, in milliseconds. */
const TURN_MS = 10

/** Draws an A4 document and yields it in pieces. Only the pages since the last piece are in memory. */
export async function* pdfPieces(about: DocumentInfo, draw: Draw): AsyncGenerator<Buffer> {
  const doc = openDocument(about)
  const chunks: Buffer[] = []
  let [size, turn] = [0, performance.now()]
  const completion = new Promise<void>((finish, fail) => {
    doc.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
    })
    doc.on('end', finish)
    doc.on('error', fail)
  })
  const takeBytes = () => {
    size = 0
    return Buffer.concat(chunks.splice(0))
  }
  const otherFonts = scriptFonts(about.language)
  const page: Page = {
    doc,
    direction: directionOf(about.language),
    fonts: fontsOf(doc, otherFonts),
    structure: structureOf(doc),
    pictures: picturesOf(doc),
    prepare: (texts, weight = 'regular') => otherFonts.load(texts, weight),
  }
  async function* steps(): AsyncGenerator<string | void> {
    const footers = await leaveRoomForFooters(page, about)
    yield* draw(page)
    yield* footers()
    page.structure.end()
    yield* writeFonts(doc)
  }
  const drawing = steps()
  for (let step = await drawing.next(); !step.done; step = await drawing.next()) {
    if (typeof step.value === 'string') comment(doc, step.value)
    if (size >= PIECE) yield takeBytes()
    if (performance.now() - turn < TURN_MS) continue
    await othersTurn()
    turn = performance.now()
  }
  doc.end()
  await completion
  yield takeBytes()
}

/** Writes a comment between two objects of the file. */
function comment(doc: PDFKit.PDFDocument, text: string): void {
  type WriterInternals = { _write(text: string): void }
  const inside = doc as unknown as WriterInternals
  // pdfkit adds the line break.
  // oxlint-disable-next-line no-underscore-dangle
  inside._write(text.trimEnd())
}

function openDocument({ language, title, madeAt }: DocumentInfo): PDFKit.PDFDocument {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    // Packed objects need at least version 1.5.
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: 'Alder', CreationDate: new Date(madeAt), ModDate: new Date(madeAt) },
  })
  if (directionOf(language) === 'rtl') readFromTheRight(doc)
  return doc
}

/** An object of a PDF document that is written when `end` is called, at the latest at the end of the document. */
type Part = { data: Record<string, unknown>; end(): void }
/** Internal members of pdfkit's pages for which it has no public methods. */
type PageInside = { content: Part; resources: Part; dictionary: Part }

/**
 * Reserves an object for the footer of each page. The number of pages is known once all are drawn, and the earlier pages have
 * been written by then. So each page names an object that follows later in the file. The returned function draws the footers.
 */
async function leaveRoomForFooters(
  page: Page,
  { footer, pageOf }: DocumentInfo,
): Promise<() => Generator<void, void, void>> {
  const { doc, fonts, structure } = page
  // All digits and words that any footer can contain.
  const letters = `${footer}${pageOf}1234567890`
  await page.prepare([letters])
  const inside = () => doc.page as unknown as PageInside
  const footers: Part[] = []
  let latestPage: PageInside | null = null
  const leaveRoom = () => {
    // The previous page has been written. Its data would stay in memory to the end, with the names of all its fonts.
    if (latestPage) latestPage.resources.data = {}
    latestPage = inside()
    const part = (doc as unknown as { ref(data: object): Part }).ref({})
    latestPage.dictionary.data['Contents'] = [latestPage.content, part]
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
      const number = pageOf.replace('{page}', String(index + 1)).replace('{pages}', String(footers.length))
      // A screen reader reads the footer once, at the end.
      if (part === footers.at(-1)) drawFooter(page, footer, number)
      else structure.decoration(() => drawFooter(page, footer, number))
      part.end()
      yield
    }
    last.content = content
  }
}

/** Sets the reading direction for PDF programs (ISO 32000-1, table 150). pdfkit has no option for it. */
function readFromTheRight(doc: PDFKit.PDFDocument): void {
  type Root = { data: { ViewerPreferences: { data: Record<string, unknown> } } }
  const { _root: root } = doc as unknown as { _root: Root }
  root.data.ViewerPreferences.data['Direction'] = 'R2L'
}

/** Returns the position of a box. Its `x` is the distance from the edge at which lines begin. */
function placeBox({ doc, direction }: Page, { x: start, y, width }: Box): Box {
  return { x: direction === 'ltr' ? start : doc.page.width - start - width, y, width }
}

/** Writes text into a box and returns the box's lower end. The text is a paragraph unless it is inside another part. */
export function writeText(page: Page, text: string, style: Style, box: Box): number {
  const { height, drawAt } = layOutText(page, text, style, box.width)
  drawAt(box.x, box.y)
  return box.y + height
}

/** Lays text out in a width. `drawAt` takes the distance from the edge at which lines begin. */
export function layOutText(page: Page, text: string, style: Style, width: number) {
  const { structure } = page
  const { height, draw, says, isTurned } = layText(page, text, style, width)
  const drawAt = (start: number, y: number) =>
    structure.leaf('P', () => {
      structure.say(says, isTurned)
      draw(placeBox(page, { x: start, y, width }).x, y)
    })
  return { height, drawAt }
}

export const contentWidth = ({ doc }: Page) => doc.page.width - 2 * MARGIN

export function drawRule({ doc, structure }: Page, y: number): void {
  structure.decoration(() =>
    doc
      .moveTo(MARGIN, y)
      .lineTo(doc.page.width - MARGIN, y)
      .lineWidth(0.5)
      .stroke(RULE),
  )
}

/** Tints a rectangle below `y` with the given height, at the width of the page's content. */
export function drawTint(page: Page, y: number, height: number, corner: number): void {
  const { doc, structure } = page
  structure.decoration(() => doc.roundedRect(MARGIN, y, contentWidth(page), height, corner).fill(PAPER))
}

const BAND_HEIGHT = 132
const TILE = { y: 38, size: 30 }
const SMALL_TILE = { y: 34, size: 18 }

/** Draws the bank's logo and name and the document's heading at the top of the first page. Returns the position below them. */
export function drawHeader(page: Page, heading: string): number {
  const { doc, structure } = page
  structure.decoration(() => {
    doc.rect(0, 0, doc.page.width, BAND_HEIGHT).fill(PAPER)
    doc.save().rect(0, 0, doc.page.width, BAND_HEIGHT).clip()
    const rings = placeBox(page, { x: doc.page.width - 190, y: -70, width: 260 })
    drawRings(page, rings, RULE)
    doc.restore()
    drawMark(page, placeBox(page, { x: MARGIN, y: TILE.y, width: TILE.size }))
  })
  const name = { x: MARGIN + TILE.size + 10, y: TILE.y + 4.5, width: 200 }
  writeText(page, 'Alder', { weight: 'strong', size: 17, color: INK }, name)
  const title = { x: MARGIN, y: 82, width: contentWidth(page) }
  structure.leaf('H1', () => writeText(page, heading, { weight: 'strong', size: 22, color: INK, oneLine: true }, title))
  return BAND_HEIGHT + 26
}

/** Draws the small header of a following page. */
function drawSmallHeader(page: Page, heading: string): void {
  const { y, size } = SMALL_TILE
  drawMark(page, placeBox(page, { x: MARGIN, y, width: size }))
  const name = { x: MARGIN + size + 7, y: y + 2.5, width: 120 }
  writeText(page, 'Alder', { weight: 'strong', size: 11, color: INK }, name)
  const title = { x: MARGIN + 150, y: y + 3.5, width: contentWidth(page) - 150 }
  writeText(page, heading, { weight: 'regular', size: 9, color: MUTED, align: 'end', oneLine: true }, title)
  drawRule(page, y + size + 10)
}

/** The position below the header of a following page, in points from its top. */
const TOP = SMALL_TILE.y + SMALL_TILE.size + 26
/** The space for the footer at the bottom, in points. */
const BOTTOM = MARGIN + 32

/** Returns whether a part with this height, in points, fits above the footer if it begins at `y`. */
export const hasRoom = ({ doc }: Page, y: number, height: number): boolean => y + height <= doc.page.height - BOTTOM

/** Adds a page with that heading. Returns the position below its header. */
export function nextPage(page: Page, heading: string): number {
  page.doc.addPage()
  page.structure.decoration(() => drawSmallHeader(page, heading))
  return TOP
}

const NUMBER_WIDTH = 110

function drawFooter(page: Page, text: string, number: string): void {
  const style = { weight: 'regular', size: 8, color: MUTED } as const
  const [y, width] = [page.doc.page.height - MARGIN - 16, contentWidth(page) - NUMBER_WIDTH]
  writeText(page, text, style, { x: MARGIN, y, width: width - 12 })
  page.structure.decoration(() =>
    writeText(page, number, { ...style, align: 'end' }, { x: MARGIN + width, y, width: NUMBER_WIDTH }),
  )
}
