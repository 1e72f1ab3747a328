import bidiFactory from 'bidi-js'
import { graphemesOf } from '#contract/graphemes.ts'
import { isEmoji, isJoined, isRightToLeft, isWide, type Weight } from '#server/platform/pdf/script-fonts.ts'
import type { Direction } from '#server/platform/pdf/shaping.ts'

type Document = PDFKit.PDFDocument
/** What a document's texts are set in. Fonts are told apart by the names under which the document knows them. */
export type Fonts = {
  /** The font that a character is set in; null where none has it. */
  of(character: string, weight: Weight): string | null
  /** Whether a font has a character. */
  has(font: string, character: string): boolean
  /** Whether a font draws a text as one letter, as it does some emoji that several make together. */
  isOne(font: string, text: string): boolean
  /** How wide a text is in a font. */
  widthOf(font: string, text: string, size: number): number
}
export type Style = {
  weight: Weight
  size: number
  color: string
  /** `right` in every language: figures below each other, which are read from left to right. */
  align?: 'start' | 'center' | 'end' | 'right'
  /** Stays on one line, as small as that takes: a figure that is broken reads as another one. */
  oneLine?: boolean
  /** Ends in an ellipsis where it would take more lines: so much room does no text take that somebody else wrote. */
  linesMost?: number
}
export type Box = { x: number; y: number; width: number }
/** A document at one of its pages, which way it is read, and what it is set in. */
export type Sheet = { doc: Document; direction: Direction; fonts: Fonts }

/** What a reader takes for one letter, with the marks on it, and the font that has them all. */
type Letter = { text: string; font: string }
/** What is drawn in one go: in one font, and in one direction. Its text is in the order in which it is said. */
type Run = { text: string; font: string; direction: Direction; isTurned: boolean; width: number }

const bidi = bidiFactory()
/** Marks of direction say how others are read, and are not seen themselves. */
const UNSEEN = /^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/
/** Nothing is seen of these by themselves: a mark above or below a letter that is not there, and what only tells programs something. */
const NO_LETTER = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cc}]/u
/** Whether letters beside them are joined; fonts need not have them. */
const JOINERS = /[\u200C\u200D]/
/**
 * What stands for a letter that no font has, of a rare script. It is seen, so that two names do not read alike where they
 * differ, and a font has it, because pdfkit draws what a font lacks about twice as wide as it says it will.
 */
const STAND_IN = '□'
/** Two letters as one, as books have them: fonts have those that they need by themselves. */
const LIGATURES = /[\uFB00-\uFB06]/g
/**
 * How many marks a letter may have beside those of its own, as 'é' has one. As many as there are would rise over the lines above.
 * Two fit into a line, also on a capital; scripts that need more have lower letters.
 */
const marksMost = (letter: string): number =>
  Math.max(0, (isJoined(letter) ? 4 : 2) - Array.from(letter.normalize('NFD')).length + 1)
/** The longest syllables of Indian scripts have fewer characters; longer ones are broken, or they would not fit into a line. */
const CHARACTERS_MOST = 12

/** Ascender and line of a text, to its size: Inter's, which Arabic script stays within. */
const ASCENDER = 0.97
const LINE = 1.21

/** A text in the lines that a width breaks it into, before it stands anywhere. */
type LaidText = {
  height: number
  /** Its lines in the order in which they are read, and whether any of it stands in another one. */
  says: string
  isTurned: boolean
  /** Draws it, with its upper left corner there. */
  draw(x: number, y: number): void
}

/**
 * Lays text out in a width. pdfkit by itself writes from left to right: lines are put into the order in which they are seen here
 * (Unicode's bidirectional algorithm).
 */
export function layText(page: Sheet, text: string, style: Style, width: number): LaidText {
  const { doc, direction } = page
  doc.fontSize(style.size)
  const whole = style.oneLine ? widthOf(page, lettersOf(page, text, style), style) : 0
  if (whole > width) {
    // A little less, for what the sums of widths are out by.
    return layText(page, text, { ...style, size: (0.99 * style.size * width) / whole }, width)
  }
  const shown = shownLines(page, text, style, width)
  const lines = shown.map((line) => runsOf(page, line, style))
  return {
    height: lines.length * style.size * LINE,
    says: shown.map(saidIn).join(' '),
    isTurned: lines.some((runs) => runs.some((run) => run.isTurned)),
    draw(left, top) {
      doc.fontSize(style.size).fillColor(style.color)
      let y = top
      for (const runs of lines) {
        const taken = runs.reduce((sum, run) => sum + run.width, 0)
        let x = left + (width - taken) * shareBefore(style.align ?? 'start', direction)
        for (const run of runs) {
          // pdfkit hands what it takes for features to the font: see fonts.ts.
          const options = { lineBreak: false, baseline: 'alphabetic', features: [run.direction] } as object
          doc.font(run.font).text(run.text, x, y + style.size * ASCENDER, options)
          x += run.width
        }
        y += style.size * LINE
      }
    },
  }
}

/** What a line says, in the order in which it is read. */
const saidIn = (line: readonly Letter[]): string =>
  line.reduce((said, { text }) => (UNSEEN.test(text) ? said : said + text), '')

/** How much of the room that a line leaves is on its left. */
function shareBefore(align: NonNullable<Style['align']>, direction: Direction): number {
  if (align === 'center') return 0.5
  if (align === 'right') return 1
  return (align === 'start') === (direction === 'ltr') ? 0 : 1
}

/** Whether a mark may follow what a letter has: as few as stay within the line, and in a script of its own each once. */
function hasRoomFor(mark: string, letter: string): boolean {
  const [base = '', ...marks] = Array.from(/[^\p{M}]\p{M}*$/u.exec(letter)?.[0] ?? letter)
  return marks.length < marksMost(base) && !(isJoined(base) && marks.includes(mark))
}

/** A letter as it can be drawn, or several where it is longer than any; none where nothing is seen of it. */
function drawnLetters({ fonts }: Sheet, grapheme: string, { weight }: Style): Letter[] {
  const [first = '', ...others] = grapheme
  if (UNSEEN.test(first)) return [{ text: first, font: weight }]
  const font = fonts.of(first, weight)
  if (font === null && /\s/.test(first)) return [{ text: ' ', font: weight }]
  if (NO_LETTER.test(first)) return []
  if (font === null) return [{ text: STAND_IN, font: weight }]
  if (isEmoji(first)) return [{ text: fonts.isOne(font, grapheme) ? grapheme : first, font }]
  let last = { text: first, font }
  const letters = [last]
  for (const other of others) {
    if (!fonts.has(font, other) && !(isJoined(first) && JOINERS.test(other))) continue
    if (/\p{M}/u.test(other)) {
      if (hasRoomFor(other, last.text)) last.text += other
    } else if (last.text.length < CHARACTERS_MOST) {
      last.text += other
    } else {
      last = { text: other, font }
      letters.push(last)
    }
  }
  return letters
}

/** The letters of a text, each in the one form that has as few marks as can be. */
const lettersOf = (page: Sheet, text: string, style: Style): Letter[] =>
  graphemesOf(text.normalize('NFC').replaceAll(LIGATURES, (letter) => letter.normalize('NFKC'))).flatMap((grapheme) =>
    drawnLetters(page, grapheme, style),
  )

/** The lines of a text that there is room for; what they leave out is an ellipsis. */
function shownLines(page: Sheet, text: string, style: Style, width: number): Letter[][] {
  const { linesMost = Number.MAX_SAFE_INTEGER } = style
  const lines = [...linesOf(page, text, style, width).take(linesMost + 1)]
  if (lines.length <= linesMost) return lines
  const [ellipsis, last] = [lettersOf(page, '…', style), [...(lines[linesMost - 1] ?? [])]]
  while (last.length > 0 && widthOf(page, [...last, ...ellipsis], style) > width) last.pop()
  return [...lines.slice(0, linesMost - 1), [...withoutEnd(last), ...ellipsis]]
}

/**
 * Breaks a text between words, or within one that is wider than a line. Lines are not measured anew with each letter: whoever
 * pays a thousand times with notes of one long word would have a statement take minutes.
 */
function* linesOf(page: Sheet, text: string, style: Style, width: number): Generator<Letter[], void, void> {
  for (const paragraph of text.split('\n')) {
    let line: Letter[] = []
    let taken = 0
    for (const word of wordsOf(lettersOf(page, paragraph, style))) {
      const whole = widthOf(page, word, style)
      const bare = whole - widthOf(page, word.slice(withoutEnd(word).length), style)
      if (taken + bare > width) {
        if (line.length > 0) yield withoutEnd(line)
        const rest = bare > width ? yield* partsOf(page, word, style, width) : word
        line = [...rest]
        taken = rest === word ? whole : widthOf(page, rest, style)
      } else {
        line.push(...word)
        taken += whole
      }
    }
    yield withoutEnd(line)
  }
}

/** Breaks a word that is wider than a line; answers what of it is left for the last one. */
function* partsOf(page: Sheet, word: Letter[], style: Style, width: number): Generator<Letter[], Letter[], void> {
  let rest = word
  for (;;) {
    const bare = withoutEnd(rest)
    const count = countIn(page, bare, style, width)
    if (count >= bare.length) return rest
    yield rest.slice(0, count)
    rest = rest.slice(count)
  }
}

/** How many letters of a word are set in a line, at least one: about as many as fit, by how wide each is by itself. */
function countIn(page: Sheet, word: readonly Letter[], style: Style, width: number): number {
  const taken = (count: number) => widthOf(page, word.slice(0, count), style)
  let [count, sum] = [0, 0]
  for (const letter of word) {
    sum += widthOf(page, [letter], style)
    if (sum > width) break
    count += 1
  }
  count = Math.max(1, count)
  // Letters that are joined are narrower.
  count = Math.min(word.length, Math.floor((count * width) / taken(count)))
  while (count > 1 && taken(count) > width) count -= 1
  return Math.max(1, count)
}

/** A line without the spaces at its end. */
const withoutEnd = (line: readonly Letter[]): Letter[] =>
  line.slice(0, line.findLastIndex(({ text }) => text.trim() !== '') + 1)

/** Marks that never begin a line in Chinese and Japanese: what closes a bracket or a sentence, small kana, the long sound. */
const NEVER_FIRST = /[、。，．：；！？）」』】》〉〕］｝…ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％]/
const NEVER_LAST = /[（「『【《〈〔［｛]/

/** What a line may be broken between: words with the space after them, and wide letters, which are written without spaces. */
function wordsOf(paragraph: readonly Letter[]): Letter[][] {
  const words: Letter[][] = []
  let before = ' '
  for (const letter of paragraph) {
    const { text } = letter
    const isWideBreak = (isWide(text) || isWide(before)) && !NEVER_FIRST.test(text) && !NEVER_LAST.test(before)
    const last = words.at(-1)
    if (!last || (text !== ' ' && (before === ' ' || isWideBreak))) words.push([letter])
    else last.push(letter)
    before = text
  }
  return words
}

function widthOf(page: Sheet, line: readonly Letter[], style: Style): number {
  const stretches: Letter[] = []
  for (const { text, font } of line) {
    if (UNSEEN.test(text)) continue
    const last = stretches.at(-1)
    if (last?.font === font) last.text += text
    else stretches.push({ text, font })
  }
  return stretches.reduce((sum, { font, text }) => sum + page.fonts.widthOf(font, text, style.size), 0)
}

/** The places of a line's letters from left to right, and the level of each: odd where it is read from the right. */
function orderOf(line: readonly Letter[], direction: Direction): { order: number[]; levels: number[] } {
  const text = line.map((letter) => letter.text).join('')
  const embedding = bidi.getEmbeddingLevels(text, direction)
  const units = Array.from({ length: text.length }, (_, unit) => unit)
  for (const [start, end] of bidi.getReorderSegments(text, embedding)) {
    units.splice(start, end - start + 1, ...units.slice(start, end + 1).toReversed())
  }
  // A letter stands where its first unit does: what follows it there is one with it.
  const places = new Map<number, number>()
  let unit = 0
  for (const [place, letter] of line.entries()) {
    places.set(unit, place)
    unit += letter.text.length
  }
  return {
    order: units.flatMap((each) => places.get(each) ?? []),
    levels: [...places.keys()].map((each) => embedding.levels[each] ?? 0),
  }
}

/** The parts of a line from left to right. */
function runsOf(page: Sheet, line: readonly Letter[], style: Style): Run[] {
  const { order, levels } = orderOf(line, page.direction)
  const groups: { font: string; places: number[] }[] = []
  for (const place of order) {
    const { text, font } = line[place] ?? { text: '', font: '' }
    if (UNSEEN.test(text)) continue
    const group = groups.at(-1)
    const last = group?.places.at(-1)
    const isNext = last !== undefined && Math.abs(last - place) === 1 && levels[last] === levels[place]
    if (isNext && group?.font === font) group.places.push(place)
    else groups.push({ font, places: [place] })
  }
  return groups.map(({ font, places }) => {
    const isTurned = ((levels[places[0] ?? 0] ?? 0) & 1) === 1
    const seen = places.map((place) => line[place]?.text ?? '')
    // Arabic is handed over as it is said, for the font to join its letters. What other fonts have between it is turned around here.
    const isSaid = isTurned && isRightToLeft(seen.join(''))
    const asSeen = () => seen.map((text) => (isTurned ? bidi.getMirroredCharacter(text) : null) ?? text)
    const text = (isSaid ? seen.toReversed() : asSeen()).join('')
    return {
      text,
      font,
      isTurned,
      direction: isSaid ? 'rtl' : 'ltr',
      width: page.fonts.widthOf(font, text, style.size),
    }
  })
}
