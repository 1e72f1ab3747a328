import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { remembered } from '#server/platform/pdf/remembered.ts'
import { isEmoji, isRightToLeft, isWide, type ScriptFonts, type Weight } from '#server/platform/pdf/script-fonts.ts'
import { type Direction, type Glyph, type Shaped, type Shaper, shaperOf } from '#server/platform/pdf/shaping.ts'
import type { Fonts } from '#server/platform/pdf/text.ts'

// The underscores are pdfkit's.
/* oxlint-disable no-underscore-dangle */

/** As TrueType: the one form that needs no unpacking for each receipt. Latin, Greek and Cyrillic; for other scripts see script-fonts.ts. */
const FONTS: Record<Weight, Buffer> = {
  regular: fontFile(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fontFile(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
}

function fontFile(url: string): Buffer {
  return readFileSync(fileURLToPath(url))
}

/** What pdfkit makes of a font for one document, and what it has read of the font, which no document changes. */
type Read = { hasGlyphForCodePoint(code: number): boolean; _glyphs: Record<number, unknown> }
type Embedded = {
  id: string
  font: Read
  /** In units of the font, and what each says, by the numbers under which the document knows its outlines. */
  widths: number[]
  unicode: (readonly number[])[]
  scale: number
  subset: { glyphs: number[] }
  layout(text: string, features?: readonly unknown[]): Shaped
  encode(text: string, features?: readonly unknown[]): [codes: string[], positions: Shaped['positions']]
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
  shape: Shaper
  widths: Map<string, number>
  letters: Map<string, Shaped>
  words: Map<string, Shaped>
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
  embedded.layout = (text, features) => layOut(known, text, features?.[0] === 'rtl' ? 'rtl' : 'ltr')
  const codeOf = codesOf(embedded)
  embedded.encode = (text, features) => {
    const { glyphs, positions } = embedded.layout(text, features)
    return [glyphs.map((glyph) => codeOf(glyph)), positions]
  }
  inside._fontFamilies[name] = embedded
}

function readFont(doc: PDFKit.PDFDocument, name: string, file: Buffer): Known {
  const { _font: font } = insideOf(doc.registerFont(name, file).font(name))
  return {
    font: font.font,
    Embedding: font.constructor as Embedding,
    shape: shaperOf(file),
    widths: new Map(),
    letters: new Map(),
    words: new Map(),
  }
}

/** A text set in a font, word by word with the space after each: the words of a page come again and again. */
function layOut(known: Known, text: string, direction: Direction): Shaped {
  const words = text.match(/[^ ]* |[^ ]+$/g) ?? []
  const shaped = words.map((word) => {
    const shape = () => known.shape(word, direction)
    return word.length === 1
      ? remembered(known.letters, direction + word, shape)
      : remembered(known.words, direction + word, shape, WORDS_MOST)
  })
  const [first, ...others] = direction === 'rtl' ? shaped.toReversed() : shaped
  if (first && others.length === 0) return first
  const all = first ? [first, ...others] : []
  return {
    glyphs: all.flatMap(({ glyphs }) => glyphs),
    positions: all.flatMap(({ positions }) => positions),
    advanceWidth: all.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
  }
}

/** As many outlines as a document can number in one font are 65,536. */
const OUTLINES_MOST = 60_000

/**
 * Numbers what a document draws in a font. Letters that share an outline, as several of Arabic may, have a number each: pdfkit by itself numbers
 * outlines, and who copies the second letter gets the first.
 */
function codesOf({ subset: { glyphs }, widths, unicode, scale }: Embedded): (glyph: Glyph) => string {
  const numbers = new Map<Glyph, number>()
  const add = (glyph: Glyph): number => {
    // It looks right, and is copied as the first letter with that outline.
    if (numbers.size >= OUTLINES_MOST) return Math.max(0, glyphs.indexOf(glyph.id))
    const number = glyphs.push(glyph.id) - 1
    widths[number] = glyph.advanceWidth * scale
    unicode[number] = glyph.codePoints
    numbers.set(glyph, number)
    return number
  }
  return (glyph) => (numbers.get(glyph) ?? add(glyph)).toString(16).padStart(4, '0')
}

/** Finds the font of each letter, which the document then knows. */
export function fontsOf(doc: PDFKit.PDFDocument, others: ScriptFonts): Fonts {
  for (const [name, file] of Object.entries(FONTS)) addFont(doc, name, file)
  const added = new Set<string>()
  const otherFontOf = (character: string, weight: Weight): string | null => {
    const font = others.fontOf(character, weight)
    if (font === null) return null
    if (!added.has(font.name)) addFont(doc, font.name, font.file)
    added.add(font.name)
    return font.name
  }
  const knownOf = (font: string): Known => {
    const known = knownFonts.get(font)
    if (!known) throw new Error(`The document has no font ${font}`)
    return known
  }
  const has = (font: string, character: string): boolean =>
    knownOf(font).font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  const find = (character: string, weight: Weight): string | null => {
    const inOwn = () => {
      const own = otherFontOf(character, weight)
      return own !== null && has(own, character) ? own : null
    }
    const inInter = () => (has(weight, character) ? weight : null)
    // Inter has some of the punctuation of other scripts, too narrow for them.
    return isEmoji(character) && !isWide(character) ? (inInter() ?? inOwn()) : (inOwn() ?? inInter())
  }
  const found = { regular: new Map<string, string | null>(), strong: new Map<string, string | null>() }
  return {
    has,
    of: (character, weight) => remembered(found[weight], character, () => find(character, weight)),
    isOne: (font, text) => knownOf(font).shape(text, 'ltr').glyphs.length === 1,
    widthOf(font, text, size) {
      const known = knownOf(font)
      const measure = () => layOut(known, text, isRightToLeft(text) ? 'rtl' : 'ltr').advanceWidth / 1_000
      // Lines are filled letter by letter, and many languages have few letters.
      return size * (text.length > 1 ? measure() : remembered(known.widths, text, measure))
    },
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
    // The outlines that were read for it: kept, they would be as many as customers write letters.
    font.font._glyphs = {}
    yield
  }
}
