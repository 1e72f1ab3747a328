import {
  Blob,
  Buffer,
  ClusterLevel,
  Direction as Directions,
  Face,
  Feature,
  Font,
  type GlyphPosition,
  shape,
} from 'harfbuzzjs'
import { getOrCompute } from '#server/platform/pdf/bounded-cache.ts'

export type TextDirection = 'ltr' | 'rtl'

/** An outline of a font, with the code points that a reader gets when copying it. */
export type Glyph = { id: number; codePoints: readonly number[]; advanceWidth: number }

/**
 * The position of an outline and the distance to the next one, in thousandths of the font size. `advanceWidth`: the font's own
 * width.
 */
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number; advanceWidth: number }

/** A text set in a font, from left to right, in pdfkit's form. */
export type Shaped = { glyphs: Glyph[]; positions: Position[]; advanceWidth: number }

export type Shaper = (text: string, direction: TextDirection) => Shaped

const PER_SIZE = 1_000

/**
 * The font features for figures. Kerning is off. With kerning, Inter puts a decimal point under the arm of a 7 before it, and
 * the point is hard to see there.
 */
const FIGURES = [new Feature('kern', 0), new Feature('tnum', 1)]

/** Returns the cache key of a glyph. Most outlines stand for one letter, and a number is a shorter key than a text. */
const keyOf = (id: number, [first = 0, ...otherCodePoints]: readonly number[]): string | number =>
  otherCodePoints.length === 0 ? id * 0x20_00_00 + first : [id, first, ...otherCodePoints].join(' ')

/**
 * The buffer for all texts. HarfBuzz frees a buffer only when JavaScript's garbage collection runs, which may be much later.
 */
const buffer = new Buffer()

/** Returns a function that sets texts in a font (TrueType or OpenType). */
export function shaperOf(file: Uint8Array): Shaper {
  const face = new Face(new Blob(file))
  const font = new Font(face)
  font.setScale(PER_SIZE, PER_SIZE)
  const glyphs = new Map<string | number, Glyph>()
  const places = new Map<number, Position>()
  /** Equal glyphs share one object, because thousands of words are cached. */
  const glyphOf = (id: number, codePoints: number[], advance: number): Glyph =>
    // pdfkit needs widths in units of the font.
    getOrCompute(glyphs, keyOf(id, codePoints), () => ({
      id,
      codePoints,
      advanceWidth: (advance * face.upem) / PER_SIZE,
    }))
  const placeOf = (x: number, { xAdvance, yAdvance, xOffset, yOffset }: GlyphPosition): Position => {
    const make = () => ({ xAdvance, yAdvance, xOffset, yOffset, advanceWidth: x })
    return xAdvance === x && yAdvance === 0 && xOffset === 0 && yOffset === 0 ? getOrCompute(places, x, make) : make()
  }
  return (text, direction) => {
    buffer.reset()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(direction === 'rtl' ? Directions.RTL : Directions.LTR)
    buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
    shape(font, buffer, /\d/.test(text) ? FIGURES : [])
    const outlines = buffer.getGlyphInfos()
    const codePoints = direction === 'rtl' ? turnedCodePoints(text, outlines) : codePointsOf(text, outlines)
    const shaped: Shaped = { glyphs: [], positions: [], advanceWidth: 0 }
    for (const [index, position] of buffer.getGlyphPositions().entries()) {
      const { codepoint: id = 0 } = outlines[index] ?? {}
      const glyphAdvance = font.glyphHAdvance(id)
      shaped.glyphs.push(glyphOf(id, codePoints[index] ?? [], glyphAdvance))
      shaped.positions.push(placeOf(glyphAdvance, position))
      shaped.advanceWidth += position.xAdvance
    }
    return shaped
  }
}

/**
 * The invisible character for an outline whose letter belongs to another outline. PDF programs need a character for each
 * outline.
 */
const NOTHING = 0x20_0b

const codePointsIn = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0)

/**
 * Returns the code points of each outline in reading order. In a cluster, such as in Hindi, the outlines may be in another
 * order than the letters. The letters are then assigned in their own order, so that the outlines together give the text.
 */
function codePointsOf(text: string, outlines: readonly { cluster: number }[]): number[][] {
  const texts: number[][] = []
  for (let first = 0, next = 0; first < outlines.length; first = next) {
    const start = outlines[first]?.cluster ?? 0
    while (outlines[next]?.cluster === start) next += 1
    const count = next - first
    const letters = text.slice(start, outlines[next]?.cluster ?? text.length)
    const forms = count === 1 ? [letters] : [letters, letters.normalize('NFD'), letters.normalize('NFKD')]
    const codes = forms.map(codePointsIn)
    const [charCodes = []] = codes
    const glyphCodes = codes.find(({ length }) => length >= count) ?? charCodes
    for (let place = 0; place < count; place += 1) {
      const part = glyphCodes.slice(place, place === count - 1 ? undefined : place + 1)
      texts.push(part.length === 0 ? [NOTHING] : part)
    }
  }
  return texts
}

/**
 * Returns the code points for right-to-left text. PDF programs reverse the text that they copy, even within one outline, so it
 * is reversed here beforehand.
 */
const turnedCodePoints: typeof codePointsOf = (text, outlines) =>
  codePointsOf(text, outlines.toReversed())
    .map((codePoints) => codePoints.toReversed())
    .toReversed()
