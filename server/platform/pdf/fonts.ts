import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getOrCompute } from '#server/platform/pdf/bounded-cache.ts'
import { isEmoji, isRightToLeft, isWide, type ScriptFonts, type Weight } from '#server/platform/pdf/script-fonts.ts'
import { type TextDirection, type Glyph, type Shaped, type Shaper, shaperOf } from '#server/platform/pdf/shaping.ts'
import type { Fonts } from '#server/platform/pdf/text.ts'

// pdfkit's own names have the underscores.
/* oxlint-disable no-underscore-dangle */

/**
 * Inter's files for Latin, Greek and Cyrillic; script-fonts.ts has other scripts. TrueType is the only format that needs no
 * unpacking for each document.
 */
const FONTS: Record<Weight, Buffer> = {
  regular: fontFile(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fontFile(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
}

function fontFile(url: string): Buffer {
  return readFileSync(fileURLToPath(url))
}

/**
 * `Read`: the part of a font that pdfkit has parsed and no document changes. `Embedded`: pdfkit's object for that font in one
 * document.
 */
type Read = { hasGlyphForCodePoint(code: number): boolean; _glyphs: Record<number, unknown> }
type Embedded = {
  id: string
  font: Read
  /**
   * The widths in units of the font and, in `unicode`, the code points of each glyph, by the glyph's number in the document.
   */
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

/** Internal members of pdfkit's documents for which it has no public methods. */
type WriterInternals = { _font: Embedded; _fontFamilies: Record<string, Embedded>; _fontCount: number }
const insideOf = (doc: PDFKit.PDFDocument) => doc as unknown as WriterInternals

/** A font that pdfkit has parsed, with cached widths, letters and words. */
type FontCache = {
  font: Read
  Embedding: Embedding
  shape: Shaper
  widths: Map<string, number>
  letters: Map<string, Shaped>
  words: Map<string, Shaped>
}

/**
 * The parsed fonts, shared by all documents of a thread. Parsing a font again for each document would take a tenth of a second
 * and megabytes of memory.
 */
const fontCache = new Map<string, FontCache>()

/** The largest number of cached words of a font. A page has about as many. */
const MAX_WORDS = 500

/** Registers a font in a document under a name. */
function addFont(doc: PDFKit.PDFDocument, name: string, file: Buffer): void {
  const inside = insideOf(doc)
  const metrics = fontCache.get(name) ?? readFont(doc, name, file)
  fontCache.set(name, metrics)
  inside._fontCount += 1
  const embedded = new metrics.Embedding(doc, metrics.font, `F${inside._fontCount}`)
  embedded.layout = (text, features) => layOut(metrics, text, features?.[0] === 'rtl' ? 'rtl' : 'ltr')
  const codeOf = codesOf(embedded)
  embedded.encode = (text, features) => {
    const { glyphs, positions } = embedded.layout(text, features)
    return [glyphs.map((glyph) => codeOf(glyph)), positions]
  }
  inside._fontFamilies[name] = embedded
}

function readFont(doc: PDFKit.PDFDocument, name: string, file: Buffer): FontCache {
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

/** Sets a text in a font, word by word with the following space, because the words of a page repeat. */
function layOut(font: FontCache, text: string, direction: TextDirection): Shaped {
  const words = text.match(/[^ ]* |[^ ]+$/g) ?? []
  const shapedWords = words.map((word) => {
    const shape = () => font.shape(word, direction)
    return word.length === 1
      ? getOrCompute(font.letters, direction + word, shape)
      : getOrCompute(font.words, direction + word, shape, MAX_WORDS)
  })
  const [firstRun, ...otherRuns] = direction === 'rtl' ? shapedWords.toReversed() : shapedWords
  if (firstRun && otherRuns.length === 0) return firstRun
  const runs = firstRun ? [firstRun, ...otherRuns] : []
  return {
    glyphs: runs.flatMap(({ glyphs }) => glyphs),
    positions: runs.flatMap(({ positions }) => positions),
    advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
  }
}

/** The largest number of separately numbered glyphs of a font. A document can number at most 65,536. */
const MAX_OUTLINES = 60_000

/**
 * Returns a function that numbers the glyphs of a document in a font. Letters that share an outline, as in Arabic, get separate
 * numbers. pdfkit numbers outlines, so a reader who copies the second letter would get the first.
 */
function codesOf({ subset: { glyphs }, widths, unicode, scale }: Embedded): (glyph: Glyph) => string {
  const numbers = new Map<Glyph, number>()
  const add = (glyph: Glyph): number => {
    // Beyond the limit, a glyph is drawn correctly but copied as the first letter with its outline.
    if (numbers.size >= MAX_OUTLINES) return Math.max(0, glyphs.indexOf(glyph.id))
    const number = glyphs.push(glyph.id) - 1
    widths[number] = glyph.advanceWidth * scale
    unicode[number] = glyph.codePoints
    numbers.set(glyph, number)
    return number
  }
  return (glyph) => (numbers.get(glyph) ?? add(glyph)).toString(16).padStart(4, '0')
}

/** Finds the font of each letter and registers it in the document. */
export function fontsOf(doc: PDFKit.PDFDocument, otherFonts: ScriptFonts): Fonts {
  for (const [name, file] of Object.entries(FONTS)) addFont(doc, name, file)
  const added = new Set<string>()
  const otherFontOf = (character: string, weight: Weight): string | null => {
    const font = otherFonts.fontOf(character, weight)
    if (font === null) return null
    if (!added.has(font.name)) addFont(doc, font.name, font.file)
    added.add(font.name)
    return font.name
  }
  const knownOf = (font: string): FontCache => {
    const metrics = fontCache.get(font)
    if (!metrics) throw new Error(`The document has no font ${font}`)
    return metrics
  }
  const has = (font: string, character: string): boolean =>
    knownOf(font).font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  const find = (character: string, weight: Weight): string | null => {
    const findOwnFont = () => {
      const fallbackFont = otherFontOf(character, weight)
      return fallbackFont !== null && has(fallbackFont, character) ? fallbackFont : null
    }
    const findInterWeight = () => (has(weight, character) ? weight : null)
    // Inter contains some punctuation of other scripts, but that punctuation is too narrow for these scripts.
    return isEmoji(character) && !isWide(character)
      ? (findInterWeight() ?? findOwnFont())
      : (findOwnFont() ?? findInterWeight())
  }
  const fontsByWeight = { regular: new Map<string, string | null>(), strong: new Map<string, string | null>() }
  return {
    has,
    of: (character, weight) => getOrCompute(fontsByWeight[weight], character, () => find(character, weight)),
    isOne: (font, text) => knownOf(font).shape(text, 'ltr').glyphs.length === 1,
    widthOf(font, text, size) {
      const cache = knownOf(font)
      const measure = () => layOut(cache, text, isRightToLeft(text) ? 'rtl' : 'ltr').advanceWidth / 1_000
      // A word wider than a line is measured letter by letter. Letter widths are cached: most languages have few letters.
      return size * (text.length > 1 ? measure() : getOrCompute(cache.widths, text, measure))
    },
  }
}

/** Adds the fonts of a text to the page's list of fonts, because the text is written on the page later. */
export function announceFonts(doc: PDFKit.PDFDocument, fonts: Fonts, text: string): void {
  const { fonts: fontsById } = doc.page as unknown as { fonts: Record<string, unknown> }
  for (const character of new Set(text)) {
    const { _font: font } = insideOf(doc.font(fonts.of(character, 'regular') ?? 'regular'))
    fontsById[font.id] ??= font.ref()
  }
}

/** Writes the used glyphs of one font after another. pdfkit would write all fonts at once. */
export function* writeFonts(doc: PDFKit.PDFDocument): Generator<void> {
  for (const font of new Set(Object.values(insideOf(doc)._fontFamilies))) {
    font.finalize()
    // Drops the outlines that were read for this document. Otherwise they would grow with the number of different letters of
    // all customers.
    font.font._glyphs = {}
    yield
  }
}
