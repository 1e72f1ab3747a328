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
import { remembered } from '#server/platform/pdf/remembered.ts'

export type Direction = 'ltr' | 'rtl'

/** An outline of a font, and the code points that somebody who copies it gets. */
export type Glyph = { id: number; codePoints: readonly number[]; advanceWidth: number }

/** Where an outline stands and how far it moves the next one, in thousandths of the size; `advanceWidth` is what the font says by itself. */
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number; advanceWidth: number }

/** A text as a font sets it, from left to right, in the form in which pdfkit draws it. */
export type Shaped = { glyphs: Glyph[]; positions: Position[]; advanceWidth: number }

export type Shaper = (text: string, direction: Direction) => Shaped

const PER_SIZE = 1_000

/** Inter moves a point under the arm of the 7 before it, where it is hardly seen: figures are set without. */
const FIGURES = [new Feature('kern', 0), new Feature('tnum', 1)]

/** Most outlines say one letter, and a number is a shorter key than a text. */
const keyOf = (id: number, [first = 0, ...others]: readonly number[]): string | number =>
  others.length === 0 ? id * 0x20_00_00 + first : [id, first, ...others].join(' ')

/** One for all: HarfBuzz gives a buffer's memory back when JavaScript's is collected, which may be long after. */
const buffer = new Buffer()

/** Sets texts in a font (TrueType or OpenType). */
export function shaperOf(file: Uint8Array): Shaper {
  const face = new Face(new Blob(file))
  const font = new Font(face)
  font.setScale(PER_SIZE, PER_SIZE)
  const known = new Map<string | number, Glyph>()
  const places = new Map<number, Position>()
  /** The same object for the same outline: words of them are kept by the thousand. */
  const glyphOf = (id: number, codePoints: number[], own: number): Glyph =>
    // pdfkit counts in units of the font.
    remembered(known, keyOf(id, codePoints), () => ({
      id,
      codePoints,
      advanceWidth: (own * face.upem) / PER_SIZE,
    }))
  const placeOf = (own: number, { xAdvance, yAdvance, xOffset, yOffset }: GlyphPosition): Position => {
    const make = () => ({ xAdvance, yAdvance, xOffset, yOffset, advanceWidth: own })
    return xAdvance === own && yAdvance === 0 && xOffset === 0 && yOffset === 0 ? remembered(places, own, make) : make()
  }
  return (text, direction) => {
    buffer.reset()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(direction === 'rtl' ? Directions.RTL : Directions.LTR)
    buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
    shape(font, buffer, /\d/.test(text) ? FIGURES : [])
    const outlines = buffer.getGlyphInfos()
    const said = direction === 'rtl' ? turnedCodePoints(text, outlines) : codePointsOf(text, outlines)
    const shaped: Shaped = { glyphs: [], positions: [], advanceWidth: 0 }
    for (const [index, position] of buffer.getGlyphPositions().entries()) {
      const { codepoint: id = 0 } = outlines[index] ?? {}
      const own = font.glyphHAdvance(id)
      shaped.glyphs.push(glyphOf(id, said[index] ?? [], own))
      shaped.positions.push(placeOf(own, position))
      shaped.advanceWidth += position.xAdvance
    }
    return shaped
  }
}

/** Seen by nobody: what an outline says whose letter others beside it have said. Programs show an odd character where it says nothing. */
const NOTHING = 0x20_0b

const codePointsIn = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0)

/**
 * What each outline says, in the order in which they are read. A cluster of letters may have as many outlines in another order, as in Hindi: their
 * letters are handed out in the order in which they are said, so that all together say the text.
 */
function codePointsOf(text: string, outlines: readonly { cluster: number }[]): number[][] {
  const said: number[][] = []
  for (let first = 0, next = 0; first < outlines.length; first = next) {
    const start = outlines[first]?.cluster ?? 0
    while (outlines[next]?.cluster === start) next += 1
    const count = next - first
    const letters = text.slice(start, outlines[next]?.cluster ?? text.length)
    const forms = count === 1 ? [letters] : [letters, letters.normalize('NFD'), letters.normalize('NFKD')]
    const codes = forms.map(codePointsIn)
    const [own = []] = codes
    const taken = codes.find(({ length }) => length >= count) ?? own
    for (let place = 0; place < count; place += 1) {
      const part = taken.slice(place, place === count - 1 ? undefined : place + 1)
      said.push(part.length === 0 ? [NOTHING] : part)
    }
  }
  return said
}

/** Of a line that is read from the right. Programs turn around what they copy of one, the letters of one outline, too. */
const turnedCodePoints: typeof codePointsOf = (text, outlines) =>
  codePointsOf(text, outlines.toReversed())
    .map((codePoints) => codePoints.toReversed())
    .toReversed()
