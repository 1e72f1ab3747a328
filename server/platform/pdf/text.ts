import bidiFactory from 'bidi-js'
import { graphemesOf } from '#contract/graphemes.ts'
import { isEmoji, isJoined, isRightToLeft, isWide, type Weight } from '#server/platform/pdf/script-fonts.ts'
import type { TextDirection } from '#server/platform/pdf/shaping.ts'

type Document = PDFKit.PDFDocument
/** The fonts of a document's texts. A font is identified by its name in the document. */
export type Fonts = {
  /** Returns the font for a character; null if none contains it. */
  of(character: string, weight: Weight): string | null
  /** Returns whether a font contains a character. */
  has(font: string, character: string): boolean
  /** Returns whether a font draws a text as one letter, as with some joined emoji. */
  isOne(font: string, text: string): boolean
  /** Returns the width of a text in a font. */
  widthOf(font: string, text: string, size: number): number
}
export type Style = {
  weight: Weight
  size: number
  color: string
  /** `right` is for figures in every language: they are aligned below each other and read from left to right. */
  align?: 'start' | 'center' | 'end' | 'right'
  /** Keeps the text on one line, in smaller letters if needed: a figure broken across lines could be misread. */
  oneLine?: boolean
  /** The largest number of lines; a longer text ends in an ellipsis. It bounds the room for texts from outside the bank. */
  linesMost?: number
}
export type Box = { x: number; y: number; width: number }
/** A document at one of its pages, with its reading direction and its fonts. */
export type Sheet = { doc: Document; direction: TextDirection; fonts: Fonts }

/** A letter as a reader sees it, with its marks, and the font that contains all of them. */
type Letter = { text: string; font: string }
/** A part of a line in one font and one direction, drawn at once. Its text is in the order of drawing. */
type Run = { text: string; font: string; direction: TextDirection; isTurned: boolean; width: number }

const bidi = bidiFactory()
/** Matches marks of direction. They control the order of other characters and are invisible themselves. */
const UNSEEN = /^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/
/** Matches characters that are invisible alone: marks without a letter, and control characters for programs. */
const NO_LETTER = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cc}]/u
/** Matches characters that control the joining of their neighbors. Fonts need not contain them. */
const JOINERS = /[\u200C\u200D]/
/**
 * The replacement for a letter of a rare script that no font contains. It is visible, so that two different names never look
 * the same. A font must contain it: pdfkit draws a missing letter about twice as wide as it measures it.
 */
const STAND_IN = '□'
/**
 * Matches ligatures, two letters in one character. They are replaced because fonts form the ligatures that they need
 * themselves.
 */
const LIGATURES = /[\uFB00-\uFB06]/g
/**
 * Returns the number of marks that a letter may have in addition to its own, such as the accent of 'é'. Unlimited marks would
 * rise over the lines above. Two fit into a line, even on a capital. Scripts with more marks have lower letters.
 */
const marksMost = (letter: string): number =>
  Math.max(0, (isJoined(letter) ? 4 : 2) - Array.from(letter.normalize('NFD')).length + 1)
/**
 * The largest number of characters in a letter. The longest syllables of Indian scripts have fewer; a longer one might not fit
 * into a line, so it is broken.
 */
const MAX_CHARACTERS = 12

/**
 * The ascender and the line height of a text as multiples of its size. They are Inter's, and Arabic letters stay within them.
 */
const ASCENDER = 0.97
const LINE = 1.21

/** A text broken into lines of a width, without a position yet. */
type LaidText = {
  height: number
  /** `says`: the lines in reading order. `isTurned`: whether any part is drawn in another order. */
  says: string
  isTurned: boolean
  /** Draws the text with its upper left corner at this position. */
  draw(x: number, y: number): void
}

/**
 * Lays text out in a width. pdfkit writes only from left to right, so lines are put into visual order here (Unicode's
 * bidirectional algorithm).
 */
export function layText(page: Sheet, text: string, style: Style, width: number): LaidText {
  const { doc, direction } = page
  doc.fontSize(style.size)
  const fullWidth = style.oneLine ? widthOf(page, lettersOf(page, text, style), style) : 0
  if (fullWidth > width) {
    // The size is one percent smaller than necessary, because sums of widths are not exact.
    return layText(page, text, { ...style, size: (0.99 * style.size * width) / fullWidth }, width)
  }
  const clippedText = clippedLines(page, text, style, width)
  const lines = clippedText.map((line) => runsOf(page, line, style))
  return {
    height: lines.length * style.size * LINE,
    says: clippedText.map(readingText).join(' '),
    isTurned: lines.some((runs) => runs.some((run) => run.isTurned)),
    draw(leftEdge, top) {
      doc.fontSize(style.size).fillColor(style.color)
      let y = top
      for (const runs of lines) {
        const usedWidth = runs.reduce((sum, run) => sum + run.width, 0)
        let x = leftEdge + (width - usedWidth) * shareBefore(style.align ?? 'start', direction)
        for (const run of runs) {
          // pdfkit passes `features` on to the font, which reads the direction from it (fonts.ts).
          const options = { lineBreak: false, baseline: 'alphabetic', features: [run.direction] } as object
          doc.font(run.font).text(run.text, x, y + style.size * ASCENDER, options)
          x += run.width
        }
        y += style.size * LINE
      }
    },
  }
}

/** Returns the text of a line in reading order. */
const readingText = (line: readonly Letter[]): string =>
  line.reduce((sum, { text }) => (UNSEEN.test(text) ? sum : sum + text), '')

/** Returns the part of a line's free room that is to the left of the text, from 0 to 1. */
function shareBefore(align: NonNullable<Style['align']>, direction: TextDirection): number {
  if (align === 'center') return 0.5
  if (align === 'right') return 1
  return (align === 'start') === (direction === 'ltr') ? 0 : 1
}

/**
 * Returns whether another mark fits on a letter. The marks must stay within the line. In joined scripts, each mark may occur
 * only once.
 */
function hasRoomFor(mark: string, letter: string): boolean {
  const [base = '', ...marks] = Array.from(/[^\p{M}]\p{M}*$/u.exec(letter)?.[0] ?? letter)
  return marks.length < marksMost(base) && !(isJoined(base) && marks.includes(mark))
}

/** Returns the drawable letters of a grapheme: usually one, several if it is too long, none if it is invisible. */
function drawnLetters({ fonts }: Sheet, grapheme: string, { weight }: Style): Letter[] {
  const [firstCharacter = '', ...otherCharacters] = grapheme
  if (UNSEEN.test(firstCharacter)) return [{ text: firstCharacter, font: weight }]
  const font = fonts.of(firstCharacter, weight)
  if (font === null && /\s/.test(firstCharacter)) return [{ text: ' ', font: weight }]
  if (NO_LETTER.test(firstCharacter)) return []
  if (font === null) return [{ text: STAND_IN, font: weight }]
  if (isEmoji(firstCharacter)) return [{ text: fonts.isOne(font, grapheme) ? grapheme : firstCharacter, font }]
  let last = { text: firstCharacter, font }
  const letters = [last]
  for (const character of otherCharacters) {
    if (!fonts.has(font, character) && !(isJoined(firstCharacter) && JOINERS.test(character))) continue
    if (/\p{M}/u.test(character)) {
      if (hasRoomFor(character, last.text)) last.text += character
    } else if (last.text.length < MAX_CHARACTERS) {
      last.text += character
    } else {
      last = { text: character, font }
      letters.push(last)
    }
  }
  return letters
}

/** Returns the letters of a text in its composed form (NFC), which has the fewest separate marks. */
const lettersOf = (page: Sheet, text: string, style: Style): Letter[] =>
  graphemesOf(text.normalize('NFC').replaceAll(LIGATURES, (letter) => letter.normalize('NFKC'))).flatMap((grapheme) =>
    drawnLetters(page, grapheme, style),
  )

/** Returns the lines of a text up to `linesMost`. An ellipsis replaces the rest. */
function clippedLines(page: Sheet, text: string, style: Style, width: number): Letter[][] {
  const { linesMost = Number.MAX_SAFE_INTEGER } = style
  const lines = [...linesOf(page, text, style, width).take(linesMost + 1)]
  if (lines.length <= linesMost) return lines
  const [ellipsis, last] = [lettersOf(page, '…', style), [...(lines[linesMost - 1] ?? [])]]
  while (last.length > 0 && widthOf(page, [...last, ...ellipsis], style) > width) last.pop()
  return [...lines.slice(0, linesMost - 1), [...withoutEnd(last), ...ellipsis]]
}

/**
 * Breaks a text between words, or within a word that is wider than a line. Lines are not measured again with each letter:
 * otherwise a payer with a thousand notes of one long word could make a statement take minutes.
 */
function* linesOf(page: Sheet, text: string, style: Style, width: number): Generator<Letter[], void, void> {
  for (const paragraph of text.split('\n')) {
    let line: Letter[] = []
    let usedWidth = 0
    for (const word of wordsOf(lettersOf(page, paragraph, style))) {
      const fullWidth = widthOf(page, word, style)
      const bareWidth = fullWidth - widthOf(page, word.slice(withoutEnd(word).length), style)
      if (usedWidth + bareWidth > width) {
        if (line.length > 0) yield withoutEnd(line)
        const lastPart = bareWidth > width ? yield* partsOf(page, word, style, width) : word
        line = [...lastPart]
        usedWidth = lastPart === word ? fullWidth : widthOf(page, lastPart, style)
      } else {
        line.push(...word)
        usedWidth += fullWidth
      }
    }
    yield withoutEnd(line)
  }
}

/** Breaks a word that is wider than a line. Returns the rest for the last line. */
function* partsOf(page: Sheet, word: Letter[], style: Style, width: number): Generator<Letter[], Letter[], void> {
  let remainder = word
  for (;;) {
    const bareLetters = withoutEnd(remainder)
    const count = countIn(page, bareLetters, style, width)
    if (count >= bareLetters.length) return remainder
    yield remainder.slice(0, count)
    remainder = remainder.slice(count)
  }
}

/**
 * Returns the number of letters of a word that fit into a line, at least one. The search begins with an estimate from the
 * widths of the single letters.
 */
function countIn(page: Sheet, word: readonly Letter[], style: Style, width: number): number {
  const widthOfFirst = (count: number) => widthOf(page, word.slice(0, count), style)
  let [count, sum] = [0, 0]
  for (const letter of word) {
    sum += widthOf(page, [letter], style)
    if (sum > width) break
    count += 1
  }
  count = Math.max(1, count)
  // Joined letters are narrower, so more may fit.
  count = Math.min(word.length, Math.floor((count * width) / widthOfFirst(count)))
  while (count > 1 && widthOfFirst(count) > width) count -= 1
  return Math.max(1, count)
}

/** Returns a line without the spaces at its end. */
const withoutEnd = (line: readonly Letter[]): Letter[] =>
  line.slice(0, line.findLastIndex(({ text }) => text.trim() !== '') + 1)

/**
 * Matches characters that never begin a line in Chinese and Japanese: closing brackets, punctuation, small kana, the marks for
 * a long vowel and a repeated character, and the percent sign.
 */
const NEVER_FIRST = /[、。，．：；！？）」』】》〉〕］｝…ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％]/
const NEVER_LAST = /[（「『【《〈〔［｛]/

/**
 * Returns the parts between which a line may be broken: words with the following space, and characters that are written without
 * spaces.
 */
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

/**
 * Returns the letters' indexes in order from left to right, and the level of each letter: odd if it is read from right to left.
 */
function orderOf(line: readonly Letter[], direction: TextDirection): { order: number[]; levels: number[] } {
  const text = line.map((letter) => letter.text).join('')
  const embedding = bidi.getEmbeddingLevels(text, direction)
  const units = Array.from({ length: text.length }, (_, unit) => unit)
  for (const [start, end] of bidi.getReorderSegments(text, embedding)) {
    units.splice(start, end - start + 1, ...units.slice(start, end + 1).toReversed())
  }
  // A letter has the position of its first code unit; its other units belong to it.
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

/** Returns the parts of a line from left to right. */
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
    const visualTexts = places.map((place) => line[place]?.text ?? '')
    // `places` goes from left to right. Right-to-left letters are put back in reading order, so that the font can join them.
    // Any other part stays as it is seen, with mirrored brackets if it is read from right to left.
    const isSaid = isTurned && isRightToLeft(visualTexts.join(''))
    const asSeen = () => visualTexts.map((text) => (isTurned ? bidi.getMirroredCharacter(text) : null) ?? text)
    const text = (isSaid ? visualTexts.toReversed() : asSeen()).join('')
    return {
      text,
      font,
      isTurned,
      direction: isSaid ? 'rtl' : 'ltr',
      width: page.fonts.widthOf(font, text, style.size),
    }
  })
}
