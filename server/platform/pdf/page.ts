import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { directionOf } from '#contract/languages.ts'
import { type Box, type Fonts, isArabic, layText, type Page, type Style, writeText } from '#server/platform/pdf/text.ts'
import { isWide, type Weight, type WideLetters, wideLetters } from '#server/platform/pdf/wide-letters.ts'

export const INK = '#0f172a'
export const MUTED = '#64748b'
export const BRAND = '#0f766e'
const RULE = '#e2e8f0'
export const MARGIN = 56

/**
 * As TrueType: the one form that needs no unpacking for each receipt. Latin, Greek and Cyrillic scripts, and Arabic; for
 * Chinese and Japanese see wide-letters.ts.
 */
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

function readFont(url: string): Buffer {
  return readFileSync(fileURLToPath(url))
}

/** What a document says of itself. `madeAt`: business time. */
type About = {
  language: string
  title: string
  madeAt: string
  /** What stands at the foot of each page, where that is only known once all are drawn. */
  footer?: (page: number, pages: number) => string
}

/** Draws an A4 document, and answers it as a file. `draw` is called once more where fonts were not ready for all its letters. */
export async function pdfOf(about: About, draw: (page: Page) => void): Promise<Uint8Array<ArrayBuffer>> {
  const letters = wideLetters(about.language)
  for (;;) {
    const file = await drawn(about, letters, draw)
    if (!(await letters.load())) return file
  }
}

async function drawn(
  { language, title, madeAt, footer }: About,
  letters: WideLetters,
  draw: (page: Page) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    bufferPages: footer !== undefined,
    info: { Title: title, Author: 'Alder', CreationDate: new Date(madeAt), ModDate: new Date(madeAt) },
  })
  if (directionOf(language) === 'rtl') readFromTheRight(doc)
  const chunks: Buffer[] = []
  const finished = new Promise<void>((done, fail) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', done)
    doc.on('error', fail)
  })
  for (const [name, font] of Object.entries(FONTS)) doc.registerFont(name, font)
  let pages = 0
  doc.on('pageAdded', () => {
    pages += 1
    if (pages % PAGES_REMEMBERED === 0) forgetWords(doc)
  })
  const page: Page = { doc, direction: directionOf(language), fonts: fontsOf(doc, letters) }
  draw(page)
  if (footer) drawFooters(page, footer)
  doc.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}

function drawFooters(page: Page, footer: NonNullable<About['footer']>): void {
  const { count } = page.doc.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    page.doc.switchToPage(index)
    drawFooter(page, footer(index + 1, count))
  }
}

/** Finds the font of each letter, which the document then knows. */
function fontsOf(doc: PDFKit.PDFDocument, letters: WideLetters): Fonts {
  const registered = new Set<string>()
  const wideFontOf = (character: string, weight: Weight): string | null => {
    const name = letters.fontOf(character, weight)
    const font = name === null || registered.has(name) ? undefined : letters.font(name)
    if (name !== null && font) doc.registerFont(name, font)
    if (name !== null) registered.add(name)
    return name
  }
  const known = new Map<string, boolean>()
  const has = (font: string, character: string): boolean => {
    const key = `${font} ${character}`
    const answer = known.get(key) ?? hasLetter(doc, font, character)
    known.set(key, answer)
    return answer
  }
  const find = (character: string, weight: Weight): string | null => {
    const ofWide = () => (isWide(character) ? wideFontOf(character, weight) : null)
    const own = isArabic(character) ? `${weight}-arabic` : ofWide()
    return [own, weight].find((font) => font !== null && has(font, character)) ?? null
  }
  const found = { regular: new Map<string, string | null>(), strong: new Map<string, string | null>() }
  return {
    has,
    of(character, weight) {
      const before = found[weight].get(character)
      if (before !== undefined) return before
      const font = find(character, weight)
      found[weight].set(character, font)
      return font
    },
  }
}

/** Whether a font has a letter, and pdfkit can draw it: it throws at some Arabic letters whose dots it cannot place. */
function hasLetter(doc: PDFKit.PDFDocument, font: string, character: string): boolean {
  // pdfkit has read the font, and has no method that says which letters are in it.
  type Chosen = { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
  const { _font: chosen } = doc.font(font) as unknown as Chosen
  if (!chosen.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false
  try {
    doc.widthOfString(character)
    return true
  } catch {
    return false
  }
}

/** How many pages make use of what pdfkit knows of the words on the ones before. */
const PAGES_REMEMBERED = 20

/** pdfkit keeps where the letters of each word stand that was ever measured: gigabytes, where thousands of notes have many. */
function forgetWords(doc: PDFKit.PDFDocument): void {
  type Known = { _fontFamilies: Record<string, { layoutCache?: Record<string, unknown> }> }
  const { _fontFamilies: fonts } = doc as unknown as Known
  for (const font of Object.values(fonts)) font.layoutCache = {}
}

/** Says so to PDF programs (ISO 32000-1, table 150): pdfkit has no option for it. */
function readFromTheRight(doc: PDFKit.PDFDocument): void {
  type Root = { data: { ViewerPreferences: { data: Record<string, unknown> } } }
  const { _root: root } = doc as unknown as { _root: Root }
  root.data.ViewerPreferences.data['Direction'] = 'R2L'
}

export type { Page }

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
