import bidiFactory from 'bidi-js'

type Document = PDFKit.PDFDocument
export type Direction = 'ltr' | 'rtl'
export type Style = {
  /** The names under which the document knows its fonts, by script. */
  fonts: { latin: string; arabic: string }
  size: number
  color: string
  align?: 'start' | 'center' | 'end'
}
export type Box = { x: number; y: number; width: number }

/** What is drawn in one go: in one font, and in one direction. */
type Run = { text: string; font: string; width: number }

const bidi = bidiFactory()
const ARABIC = /[\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFC]/
/** A stretch of text in one font. */
const STRETCHES = new RegExp(`${ARABIC.source}+|${ARABIC.source.replace('[', '[^')}+`, 'g')
/** Marks of direction say how others are read, and are not seen themselves. */
const UNSEEN = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Ascender and line of a text, to its size: Inter's, which Arabic script stays within. */
const ASCENDER = 0.97
const LINE = 1.21

/**
 * Writes text into a box as wide as told and as high as it takes; answers where the box ends. pdfkit by itself writes
 * from left to right: lines are put into the order in which they are seen here (Unicode's bidirectional algorithm).
 */
export function writeText(doc: Document, text: string, style: Style, box: Box, direction: Direction): number {
  doc.fontSize(style.size).fillColor(style.color)
  let { y } = box
  for (const line of linesOf(doc, text, style, box.width)) {
    const runs = runsOf(doc, line, style, direction)
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
function linesOf(doc: Document, text: string, style: Style, width: number): string[] {
  const fits = (line: string) => widthOf(doc, line, style) <= width
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (fits(longer)) line = longer
      else {
        if (line !== '') lines.push(line)
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
    lines.push(line)
  }
  return lines
}

const fontOf = (character: string, { fonts }: Style) => (ARABIC.test(character) ? fonts.arabic : fonts.latin)

function widthOf(doc: Document, text: string, style: Style): number {
  let width = 0
  for (const part of text.replace(UNSEEN, '').match(STRETCHES) ?? [])
    width += doc.font(fontOf(part, style)).widthOfString(part)
  return width
}

/** The parts of a line from left to right. */
function runsOf(doc: Document, line: string, style: Style, direction: Direction): Run[] {
  const embedding = bidi.getEmbeddingLevels(line, direction)
  const order = Array.from({ length: line.length }, (_, index) => index)
  for (const [start, end] of bidi.getReorderSegments(line, embedding)) {
    order.splice(start, end - start + 1, ...order.slice(start, end + 1).toReversed())
  }
  const groups: number[][] = []
  const sameRun = (a: number, b: number) =>
    embedding.levels[a] === embedding.levels[b] && fontOf(line[a] ?? '', style) === fontOf(line[b] ?? '', style)
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
    const font = fontOf(line[group[0] ?? 0] ?? '', style)
    // Arabic is handed over as it is said: the font joins its letters and turns them around.
    const text = (font === style.fonts.arabic ? seen.toReversed() : seen).join('').replace(UNSEEN, '')
    return { text, font, width: doc.font(font).widthOfString(text) }
  })
}
