import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { remembered } from '#server/platform/pdf/remembered.ts'
import { type Fonts, isArabic } from '#server/platform/pdf/text.ts'
import { isWide, type Weight, type WideLetters } from '#server/platform/pdf/wide-letters.ts'

// The underscores are pdfkit's.
/* oxlint-disable no-underscore-dangle */

/**
 * As TrueType: the one form that needs no unpacking for each receipt. Latin, Greek and Cyrillic scripts, and Arabic; for
 * Chinese and Japanese see wide-letters.ts.
 */
const FONTS: Record<string, Buffer> = {
  regular: fontFile(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fontFile(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  'regular-arabic': fontFile(
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  ),
  'strong-arabic': fontFile(
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  ),
}

function fontFile(url: string): Buffer {
  return readFileSync(fileURLToPath(url))
}

/** What pdfkit makes of a font for one document, and what it has read of the font, which no document changes. */
type Read = { hasGlyphForCodePoint(code: number): boolean }
type Embedded = {
  id: string
  font: Read
  layoutRun(text: string): object
  layoutCached(text: string): object
  widthOfString(text: string, size: number): number
  ref(): unknown
  finalize(): void
}
type Embedding = new (doc: PDFKit.PDFDocument, font: Read, id: string) => Embedded

/** The parts of pdfkit's documents that it has no methods for. */
type Inside = { _font: Embedded; _fontFamilies: Record<string, Embedded>; _fontCount: number }
const insideOf = (doc: PDFKit.PDFDocument) => doc as unknown as Inside

/** A font as pdfkit has read it, and what is known of its letters and words. */
type Known = {
  font: Read
  Embedding: Embedding
  drawable: Map<string, boolean>
  widths: Map<string, number>
  letters: Map<string, object>
  words: Map<string, object>
}

/**
 * They are the same for all documents of a thread, however many are drawn at the same time: to read a font anew for each
 * would take a tenth of a second and megabytes.
 */
const knownFonts = new Map<string, Known>()

/** The words of a font whose letters' places are kept: a page has about as many. */
const WORDS_MOST = 500

/** Has a document know a font by its name. */
function addFont(doc: PDFKit.PDFDocument, name: string, file: Buffer): void {
  const inside = insideOf(doc)
  const known = knownFonts.get(name) ?? readFont(doc, name, file)
  knownFonts.set(name, known)
  inside._fontCount += 1
  const embedded = new known.Embedding(doc, known.font, `F${inside._fontCount}`)
  // pdfkit by itself keeps, for each document, where the letters of every word stand: gigabytes, where thousands of notes have many.
  embedded.layoutCached = (text) =>
    text.length === 1
      ? remembered(known.letters, text, () => embedded.layoutRun(text))
      : remembered(known.words, text, () => embedded.layoutRun(text), WORDS_MOST)
  inside._fontFamilies[name] = embedded
}

function readFont(doc: PDFKit.PDFDocument, name: string, file: Buffer): Known {
  const { _font: font } = insideOf(doc.registerFont(name, file).font(name))
  return {
    font: font.font,
    Embedding: font.constructor as Embedding,
    drawable: new Map(),
    widths: new Map(),
    letters: new Map(),
    words: new Map(),
  }
}

/** Finds the font of each letter, which the document then knows. */
export function fontsOf(doc: PDFKit.PDFDocument, letters: WideLetters): Fonts {
  for (const [name, file] of Object.entries(FONTS)) addFont(doc, name, file)
  const added = new Set<string>()
  const wideFontOf = (character: string, weight: Weight): string | null => {
    const wide = letters.fontOf(character, weight)
    if (wide === null) return null
    if (!added.has(wide.name)) addFont(doc, wide.name, wide.file)
    added.add(wide.name)
    return wide.name
  }
  const knownOf = (font: string): Known => {
    const known = knownFonts.get(font)
    if (!known) throw new Error(`The document has no font ${font}`)
    return known
  }
  const has = (font: string, character: string): boolean =>
    remembered(knownOf(font).drawable, character, () => hasLetter(doc, font, character))
  const find = (character: string, weight: Weight): string | null => {
    const ofWide = () => (isWide(character) ? wideFontOf(character, weight) : null)
    const own = isArabic(character) ? `${weight}-arabic` : ofWide()
    return [own, weight].find((font) => font !== null && has(font, character)) ?? null
  }
  const found = { regular: new Map<string, string | null>(), strong: new Map<string, string | null>() }
  return {
    has,
    of: (character, weight) => remembered(found[weight], character, () => find(character, weight)),
    widthOf(font, text, size) {
      // Lines are filled letter by letter, and many languages have few letters.
      if (text.length > 1) return doc.font(font).fontSize(size).widthOfString(text)
      const measure = () => insideOf(doc.font(font))._font.widthOfString(text, 1)
      return size * remembered(knownOf(font).widths, text, measure)
    },
  }
}

/** Whether a font has a letter, and pdfkit can draw it: it throws at some Arabic letters whose dots it cannot place. */
function hasLetter(doc: PDFKit.PDFDocument, font: string, character: string): boolean {
  const { _font: chosen } = insideOf(doc.font(font))
  if (!chosen.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false
  try {
    doc.widthOfString(character)
    return true
  } catch {
    return false
  }
}

/** Names the fonts of a text among those of the page, for what is written on it later. */
export function announceFonts(doc: PDFKit.PDFDocument, fonts: Fonts, text: string): void {
  const { fonts: named } = doc.page as unknown as { fonts: Record<string, unknown> }
  for (const character of new Set(text)) {
    const { _font: font } = insideOf(doc.font(fonts.of(character, 'regular') ?? 'regular'))
    named[font.id] ??= font.ref()
  }
}

/** Writes the letters that the document has used, one font after the other; pdfkit by itself would write all at once. */
export function* writeFonts(doc: PDFKit.PDFDocument): Generator<void> {
  for (const font of new Set(Object.values(insideOf(doc)._fontFamilies))) {
    font.finalize()
    yield
  }
}
