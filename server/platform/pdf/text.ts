import bidiFactory from 'bidi-js'
import { isWide, type Weight } from '#server/platform/pdf/wide-letters.ts'

type Document = PDFKit.PDFDocument
/** The name under which the document knows the font that has a letter. */
export type FontOf = (character: string, weight: Weight) => string
export type Direction = 'ltr' | 'rtl'
export type Style = {
  weight: Weight
  size: number
  color: string
  align?: 'start' | 'center' | 'end'
}
export type Box = { x: number; y: number; width: number }
/** A page, which way it is read, and what it is set in. */
export type Page = { doc: Document; direction: Direction; fontOf: FontOf }

/** What is drawn in one go: in one font, and in one direction. */
type Run = { text: string; font: string; width: number }

const bidi = bidiFactory()
const ARABIC = /[\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFC]/

export const isArabic = (character: string): boolean => ARABIC.test(character)

/** Marks of direction say how others are read, and are not seen themselves. */
const UNSEEN = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Ascender and line of a text, to its size: Inter's, which Arabic script stays within. */
const ASCENDER = 0.97
const LINE = 1.21

/**
 * Writes text into a box as wide as told and as high as it takes; answers where the box ends. pdfkit by itself writes
 * from left to right: lines are put into the order in which they are seen here (Unicode's bidirectional algorithm).
 */
export function writeText(page: Page, text: string, style: Style, box: Box): number {
  const { doc, direction } = page
  doc.fontSize(style.size).fillColor(style.color)
  let { y } = box
  for (const line of linesOf(page, text, style, box.width)) {
    const runs = runsOf(page, line, style)
    const width = runs.reduce((sum, run) => sum + run.width, 0)
    let x = box.x + (box.width - width) * shareBefore(style.align ?? 'start', direction)
    for (const run of runs) {
      doc.font(run.font).text(run.text, x, y + style.size * ASCENDER, { lineBreak: false, baseline: 'alphabetic' })
      x += run.width
    }
    y += style.size * LINE
  }
  return y
}

/** How much of the room that a line leaves is on its left. */
function shareBefore(align: 'start' | 'center' | 'end', direction: Direction): number {
  if (align === 'center') return 0.5
  return (align === 'start') === (direction === 'ltr') ? 0 : 1
}

/** Breaks a text between words, or within one that is wider than a line. */
function linesOf(page: Page, text: string, style: Style, width: number): string[] {
  const fits = (line: string) => widthOf(page, line, style) <= width
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of wordsOf(paragraph)) {
      if (fits((line + word).trimEnd())) line += word
      else {
        if (line !== '') lines.push(line.trimEnd())
        line = ''
        for (const character of word) {
          if (line !== '' && !fits(line + character)) {
            lines.push(line)
            line = ''
          }
          line += character
        }
      }
    }
    lines.push(line.trimEnd())
  }
  return lines
}

/** Marks that never begin a line in Chinese and Japanese: what closes a bracket or a sentence, small kana, the long sound. */
const NEVER_FIRST = /[、。，．：；！？）」』】》〉〕］｝…ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％]/
const NEVER_LAST = /[（「『【《〈〔［｛]/

/** What a line may be broken between: words with the space after them, and wide letters, which are written without spaces. */
function wordsOf(paragraph: string): string[] {
  const words: string[] = []
  let before = ' '
  for (const character of paragraph) {
    const isWideBreak =
      (isWide(character) || isWide(before)) && !NEVER_FIRST.test(character) && !NEVER_LAST.test(before)
    if (character !== ' ' && (before === ' ' || isWideBreak)) words.push(character)
    else words.push((words.pop() ?? '') + character)
    before = character
  }
  return words
}

/** Parts of a text that are set in one font each. */
function stretchesOf(text: string, { fontOf }: Page, { weight }: Style): { text: string; font: string }[] {
  const stretches: { text: string; font: string }[] = []
  for (const character of text) {
    const font = fontOf(character, weight)
    const last = stretches.at(-1)
    if (last?.font === font) last.text += character
    else stretches.push({ text: character, font })
  }
  return stretches
}

function widthOf(page: Page, text: string, style: Style): number {
  let width = 0
  for (const part of stretchesOf(text.replace(UNSEEN, ''), page, style))
    width += page.doc.font(part.font).widthOfString(part.text)
  return width
}

/** The parts of a line from left to right. */
function runsOf({ doc, direction, fontOf }: Page, line: string, { weight }: Style): Run[] {
  const embedding = bidi.getEmbeddingLevels(line, direction)
  const order = Array.from({ length: line.length }, (_, index) => index)
  for (const [start, end] of bidi.getReorderSegments(line, embedding)) {
    order.splice(start, end - start + 1, ...order.slice(start, end + 1).toReversed())
  }
  const fontAt = (index: number) => fontOf(line[index] ?? '', weight)
  const groups: number[][] = []
  const sameRun = (a: number, b: number) => embedding.levels[a] === embedding.levels[b] && fontAt(a) === fontAt(b)
  for (const index of order) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last !== undefined && Math.abs(last - index) === 1 && sameRun(last, index)) group.push(index)
    else groups.push([index])
  }
  return groups.map((group) => {
    const seen = group.map((index) => {
      const character = line[index] ?? ''
      const turned = ((embedding.levels[index] ?? 0) & 1) === 1 ? bidi.getMirroredCharacter(character) : null
      return turned ?? character
    })
    const first = group[0] ?? 0
    // Arabic is handed over as it is said: the font joins its letters and turns them around.
    const text = (isArabic(line[first] ?? '') ? seen.toReversed() : seen).join('').replace(UNSEEN, '')
    const font = fontAt(first)
    return { text, font, width: doc.font(font).widthOfString(text) }
  })
}
