import {
  BRAND,
  contentWidth,
  hasRoom,
  INK,
  lay,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  rule,
  tint,
  write,
} from '#server/platform/pdf/page.ts'
import type { Style } from '#server/platform/pdf/text.ts'

/** What is stated, and what it is called. */
type Fact = readonly [label: string, value: string]

/** The lines of a text that somebody else may have written: it never fills a page. */
export const LINES_MOST = 6

const LABEL = { weight: 'regular', size: 8.5, color: MUTED } as const
const VALUE = { weight: 'strong', size: 10, color: INK, linesMost: LINES_MOST } as const
const FACT_GAP = 10
const GUTTER = 24

/** Where the next part begins: here, or on a new page where there is no room for it. */
const roomFor = (page: Page, heading: string, y: number, height: number): number =>
  hasRoom(page, y, height) ? y : nextPage(page, heading)

/** One fact as a row of a table: what it is called heads it. */
function drawFact(page: Page, drawLabel: () => void, drawValue: () => void): void {
  const { structure } = page
  structure.open('TR')
  structure.leaf('TH', drawLabel, 'Row')
  structure.leaf('TD', drawValue)
  structure.close()
}

/** Facts side by side in two columns. Answers where they end. */
export function drawFacts(page: Page, heading: string, facts: readonly Fact[], top: number): number {
  const width = (contentWidth(page) - GUTTER) / 2
  let y = top
  page.structure.open('Table')
  for (let index = 0; index < facts.length; index += 2) {
    const pair = facts.slice(index, index + 2).map(([label, value], column) => ({
      start: MARGIN + column * (width + GUTTER),
      label: lay(page, label, LABEL, width),
      value: lay(page, value, VALUE, width),
    }))
    const height = Math.max(...pair.map(({ label, value }) => label.height + 2 + value.height))
    y = roomFor(page, heading, y, height)
    for (const { start, label, value } of pair) {
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

/** What a document comes to, on one tinted line; the last of it is what counts. Answers where it ends. */
export function drawSums(page: Page, heading: string, sums: readonly Fact[], top: number): number {
  const inner = contentWidth(page) - 2 * PAD
  const width = inner / sums.length
  const laid = sums.map(([label, value], index) => {
    const color = index === sums.length - 1 ? BRAND : INK
    return {
      start: MARGIN + PAD + index * width,
      label: lay(page, label, LABEL, width - 10),
      value: lay(page, value, { weight: 'strong', size: 13, color, oneLine: true }, width - 10),
    }
  })
  const below = Math.max(...laid.map(({ label }) => label.height)) + 3
  const height = 2 * PAD + below + Math.max(...laid.map(({ value }) => value.height))
  const y = roomFor(page, heading, top, height)
  tint(page, y, height, 12)
  page.structure.open('Table')
  for (const { start, label, value } of laid) {
    drawFact(
      page,
      () => label.drawAt(start, y + PAD),
      () => value.drawAt(start, y + PAD + below),
    )
  }
  page.structure.close()
  return y + height
}

/** A column: its share of the width, and whether it has figures, which stand below each other at their last digit. */
type Column = { name: string; share: number; figures?: boolean }

type Cell = { text: string; color?: string; strong?: boolean; /** In small below it. */ more?: string }

type Table = {
  row(cells: readonly Cell[]): void
  /** Answers where it ends. */
  end(): number
}

/** What belongs to a table: the heading of its pages, and one above it, where it has one. */
type Headings = { page: string; table?: string }

const ROW_GAP = 4.5
const CELL_GAP = 8
const HEAD_HEIGHT = 20
/** Of the head of a table, with the first two rows. */
const FIRST_ROWS = 64

/** Begins a table. Its head stands again on each page that it goes on to, and never without a row. */
export function openTable(page: Page, headings: Headings, columns: readonly Column[], top: number): Table {
  const { structure } = page
  let y = top
  if (headings.table !== undefined) {
    const title = lay(page, headings.table, { weight: 'strong', size: 12, color: INK }, contentWidth(page))
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
      const laid = layRow(page, columns, cells)
      if (!hasRoom(page, y, laid.height)) turn()
      structure.open('TR')
      laid.drawAt(y)
      structure.close()
      y += laid.height + 2 * ROW_GAP
      rule(page, y - ROW_GAP)
    },
    end() {
      structure.close()
      return y
    },
  }
}

const alignOf = ({ figures }: Column) => (figures ? 'right' : 'start')

/** Where a column begins, and how wide it is. */
function* placesOf(page: Page, columns: readonly Column[]): Generator<{ start: number; width: number }> {
  let start = MARGIN + CELL_GAP
  const whole = contentWidth(page) - 2 * CELL_GAP
  for (const { share, figures } of columns) {
    const [width, before] = [share * whole, figures ? CELL_GAP : 0]
    // Figures stand apart from what is before them.
    yield { start: start + before, width: width - CELL_GAP * (figures ? 1 : 1.5) }
    start += width
  }
}

function drawHead(page: Page, columns: readonly Column[], y: number): number {
  tint(page, y, HEAD_HEIGHT, 6)
  for (const [index, { start, width }] of [...placesOf(page, columns)].entries()) {
    const column = columns[index]
    if (!column) continue
    const style: Style = { weight: 'strong', size: 8, color: MUTED, oneLine: true, align: alignOf(column) }
    page.structure.leaf('TH', () => write(page, column.name, style, { x: start, y: y + 5.2, width }), 'Column')
  }
  return y + HEAD_HEIGHT + ROW_GAP
}

type LaidCell = { height: number; drawAt(y: number): void }

function layRow(page: Page, columns: readonly Column[], cells: readonly Cell[]) {
  const laid: (LaidCell | null)[] = []
  let index = 0
  for (const { start, width } of placesOf(page, columns)) {
    const [column, cell] = [columns[index], cells[index]]
    index += 1
    laid.push(column && cell && cell.text !== '' ? layCell(page, column, cell, { start, width }) : null)
  }
  const height = laid.reduce((most, cell) => Math.max(most, cell?.height ?? 0), 0)
  const drawAt = (y: number) => {
    for (const cell of laid) {
      if (cell) page.structure.leaf('TD', () => cell.drawAt(y))
      else page.structure.blank()
    }
  }
  return { height, drawAt }
}

type Place = { start: number; width: number }

function layCell(page: Page, column: Column, cell: Cell, { start, width }: Place): LaidCell {
  const { text, color = INK, strong = false, more = '' } = cell
  const weight = strong ? 'strong' : 'regular'
  const look = column.figures ? { oneLine: true } : { linesMost: LINES_MOST }
  const said = lay(page, text, { weight, size: 9, color, align: alignOf(column), ...look }, width)
  if (more === '') return { height: said.height, drawAt: (y) => said.drawAt(start, y) }
  const rest = lay(page, more, { weight: 'regular', size: 7.5, color: MUTED, linesMost: LINES_MOST }, width)
  return {
    height: said.height + 1 + rest.height,
    drawAt(y) {
      said.drawAt(start, y)
      rest.drawAt(start, y + said.height + 1)
    },
  }
}
