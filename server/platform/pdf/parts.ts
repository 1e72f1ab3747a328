import {
  BRAND,
  contentWidth,
  hasRoom,
  INK,
  layOutText,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  drawRule,
  drawTint,
  writeText,
} from '#server/platform/pdf/page.ts'
import type { Style } from '#server/platform/pdf/text.ts'

/** A label and its value. */
type Fact = readonly [label: string, value: string]

/** The largest number of lines for a text from outside the bank, so that it never fills a page. */
export const MAX_LINES = 6

const LABEL = { weight: 'regular', size: 8.5, color: MUTED } as const
const VALUE = { weight: 'strong', size: 10, color: INK, linesMost: MAX_LINES } as const
const FACT_GAP = 10
const GUTTER = 24

/** Returns the position of the next part: `y`, or the top of a new page if too little room is left. */
const roomFor = (page: Page, heading: string, y: number, height: number): number =>
  hasRoom(page, y, height) ? y : nextPage(page, heading)

/** Draws one fact as a row of a table, with the label as the row's heading. */
function drawFact(page: Page, drawLabel: () => void, drawValue: () => void): void {
  const { structure } = page
  structure.open('TR')
  structure.leaf('TH', drawLabel, 'Row')
  structure.leaf('TD', drawValue)
  structure.close()
}

/** Draws facts in two columns. Returns their lower end. */
export function drawFacts(page: Page, heading: string, facts: readonly Fact[], top: number): number {
  const width = (contentWidth(page) - GUTTER) / 2
  let y = top
  page.structure.open('Table')
  for (let index = 0; index < facts.length; index += 2) {
    const factPair = facts.slice(index, index + 2).map(([label, value], column) => ({
      start: MARGIN + column * (width + GUTTER),
      label: layOutText(page, label, LABEL, width),
      value: layOutText(page, value, VALUE, width),
    }))
    const height = Math.max(...factPair.map(({ label, value }) => label.height + 2 + value.height))
    y = roomFor(page, heading, y, height)
    for (const { start, label, value } of factPair) {
      drawFact(
        page,
        () => label.drawAt(start, y),
        () => value.drawAt(start, y + label.height + 2),
      )
    }
    y += height + FACT_GAP
  }
  page.structure.close()
  return y
}

const PAD = 16

/** Draws a document's sums on one tinted line; the last one is the most important. Returns its lower end. */
export function drawSums(page: Page, heading: string, sums: readonly Fact[], top: number): number {
  const innerWidth = contentWidth(page) - 2 * PAD
  const width = innerWidth / sums.length
  const laidSums = sums.map(([label, value], index) => {
    const color = index === sums.length - 1 ? BRAND : INK
    return {
      start: MARGIN + PAD + index * width,
      label: layOutText(page, label, LABEL, width - 10),
      value: layOutText(page, value, { weight: 'strong', size: 13, color, oneLine: true }, width - 10),
    }
  })
  const labelHeight = Math.max(...laidSums.map(({ label }) => label.height)) + 3
  const height = 2 * PAD + labelHeight + Math.max(...laidSums.map(({ value }) => value.height))
  const y = roomFor(page, heading, top, height)
  drawTint(page, y, height, 12)
  page.structure.open('Table')
  for (const { start, label, value } of laidSums) {
    drawFact(
      page,
      () => label.drawAt(start, y + PAD),
      () => value.drawAt(start, y + PAD + labelHeight),
    )
  }
  page.structure.close()
  return y + height
}

/**
 * A column of a table. `share`: the column's share of the table's width. `figures`: whether the column contains figures, which
 * are aligned at their last digit.
 */
type Column = { name: string; share: number; figures?: boolean }

type Cell = {
  text: string
  color?: string
  strong?: boolean
  /** A second text, in small letters below the first. */ more?: string
}

type Table = {
  row(cells: readonly Cell[]): void
  /** Ends the table. Returns its lower end. */
  end(): number
}

/** The headings of a table. `page`: the heading of each further page. `table`: an optional heading above the table. */
type Headings = { page: string; table?: string }

const ROW_GAP = 4.5
const CELL_GAP = 8
const HEAD_HEIGHT = 20
/** The height of a table's head with its first two rows, in points. */
const FIRST_ROWS = 64

/** Begins a table. The head of the table is repeated on each further page. Each head has at least one row below it. */
export function openTable(page: Page, headings: Headings, columns: readonly Column[], top: number): Table {
  const { structure } = page
  let y = top
  if (headings.table !== undefined) {
    const title = layOutText(page, headings.table, { weight: 'strong', size: 12, color: INK }, contentWidth(page))
    y = roomFor(page, headings.page, y, title.height + FIRST_ROWS)
    structure.leaf('H2', () => title.drawAt(MARGIN, y))
    y += title.height + 8
  }
  y = roomFor(page, headings.page, y, FIRST_ROWS)
  structure.open('Table')
  structure.open('TR')
  y = drawHead(page, columns, y)
  structure.close()
  const turn = () => {
    y = nextPage(page, headings.page)
    y = structure.decoration(() => drawHead(page, columns, y))
  }
  return {
    row(cells) {
      const laidRow = layRow(page, columns, cells)
      if (!hasRoom(page, y, laidRow.height)) turn()
      structure.open('TR')
      laidRow.drawAt(y)
      structure.close()
      y += laidRow.height + 2 * ROW_GAP
      drawRule(page, y - ROW_GAP)
    },
    end() {
      structure.close()
      return y
    },
  }
}

const alignOf = ({ figures }: Column) => (figures ? 'right' : 'start')

/** Yields the beginning and the width of each column. */
function* placesOf(page: Page, columns: readonly Column[]): Generator<{ start: number; width: number }> {
  let start = MARGIN + CELL_GAP
  const usableWidth = contentWidth(page) - 2 * CELL_GAP
  for (const { share, figures } of columns) {
    const [width, before] = [share * usableWidth, figures ? CELL_GAP : 0]
    // Columns of figures have a larger gap before them.
    yield { start: start + before, width: width - CELL_GAP * (figures ? 1 : 1.5) }
    start += width
  }
}

function drawHead(page: Page, columns: readonly Column[], y: number): number {
  drawTint(page, y, HEAD_HEIGHT, 6)
  for (const [index, { start, width }] of [...placesOf(page, columns)].entries()) {
    const column = columns[index]
    if (!column) continue
    const style: Style = { weight: 'strong', size: 8, color: MUTED, oneLine: true, align: alignOf(column) }
    page.structure.leaf('TH', () => writeText(page, column.name, style, { x: start, y: y + 5.2, width }), 'Column')
  }
  return y + HEAD_HEIGHT + ROW_GAP
}

type LaidCell = { height: number; drawAt(y: number): void }

function layRow(page: Page, columns: readonly Column[], cells: readonly Cell[]) {
  const laidCells: (LaidCell | null)[] = []
  let index = 0
  for (const { start, width } of placesOf(page, columns)) {
    const [column, cell] = [columns[index], cells[index]]
    index += 1
    laidCells.push(column && cell && cell.text !== '' ? layCell(page, column, cell, { start, width }) : null)
  }
  const height = laidCells.reduce((highest, cell) => Math.max(highest, cell?.height ?? 0), 0)
  const drawAt = (y: number) => {
    for (const cell of laidCells) {
      if (cell) page.structure.leaf('TD', () => cell.drawAt(y))
      else page.structure.blank()
    }
  }
  return { height, drawAt }
}

type TextBox = { start: number; width: number }

function layCell(page: Page, column: Column, cell: Cell, { start, width }: TextBox): LaidCell {
  const { text, color = INK, strong = false, more = '' } = cell
  const weight = strong ? 'strong' : 'regular'
  const lineStyle = column.figures ? { oneLine: true } : { linesMost: MAX_LINES }
  const laidOut = layOutText(page, text, { weight, size: 9, color, align: alignOf(column), ...lineStyle }, width)
  if (more === '') return { height: laidOut.height, drawAt: (y) => laidOut.drawAt(start, y) }
  const secondText = layOutText(page, more, { weight: 'regular', size: 7.5, color: MUTED, linesMost: MAX_LINES }, width)
  return {
    height: laidOut.height + 1 + secondText.height,
    drawAt(y) {
      laidOut.drawAt(start, y)
      secondText.drawAt(start, y + laidOut.height + 1)
    },
  }
}
