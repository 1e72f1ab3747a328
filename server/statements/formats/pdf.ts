import { shownDay } from '#server/platform/time-zone.ts'
import { intlLocale } from '#contract/languages.ts'
import { formatAmount } from '#contract/money.ts'
import {
  contentWidth,
  drawHeader,
  hasRoom,
  INK,
  lay,
  MARGIN,
  MUTED,
  nextPage,
  type Page,
  pdfPieces,
  rule,
  TOP,
  write,
} from '#server/platform/pdf/page.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { Statement, StatementLines } from '#server/statements/reading/statement.ts'

const ROW_GAP = 5
/** The share of each column in the width: date, description, amount, balance. */
const SHARES = [0.18, 0.45, 0.185, 0.185] as const
const GUTTER = 8
/** The lines that a name takes at most, and what is said below it: a payer chose both, and no row fills a page. */
const LINES_MOST = 6

type Cells = readonly [date: string, description: string, amount: string, balance: string]
type Drawing = { page: Page; words: StatementWords }

/** As many A4 pages as a statement takes, each with its number, piece by piece. */
export function statementPdf(
  statement: Statement,
  words: StatementWords,
  lines: StatementLines,
): AsyncGenerator<Uint8Array> {
  const { language, madeAt } = statement
  const footer = (page: number, pages: number) =>
    words.footer.replace('{page}', String(page)).replace('{pages}', String(pages))
  const about = { language, title: words.title, madeAt, footer }
  return pdfPieces(about, (page) => drawStatement({ page, words }, statement, lines))
}

async function* drawStatement(drawing: Drawing, statement: Statement, lines: StatementLines): AsyncGenerator<void> {
  const { page, words } = drawing
  const { language, asset } = statement
  const days = new Intl.DateTimeFormat(intlLocale(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const money = (minor: number, sign: 'always' | 'negative' = 'negative') =>
    formatAmount(minor, asset, { language, sign })
  const { opening, closing, nothing, columns, heading } = words
  const facts = [...words.facts, ...words.sums]
  const dates = [statement.range.from, statement.range.to].map((day) => days.format(shownDay(day)))
  await page.prepare([opening, closing, nothing, heading, ...dates, ...columns, ...facts.map(([label]) => label)])
  await page.prepare(['A', 'Alder', ...facts.map(([, value]) => value)], 'strong')
  drawHeader(page, heading)
  let y = drawFacts(page, words.facts, TOP)
  y = drawFacts(page, words.sums, y + 12) + 14
  y = drawRow(drawing, columns, y, { color: MUTED })
  y = drawRow(drawing, [dates[0] ?? '', opening, '', money(statement.openingMinor)], y)
  if (statement.count === 0) y = drawRow(drawing, ['', nothing, '', ''], y, { color: MUTED })
  for await (const some of lines) {
    for (const { bookedAt, name, method, note, amountMinor, balanceMinor } of some) {
      const more = [method, note].filter((part) => part !== '').join(' · ')
      const cells: Cells = [days.format(shownDay(bookedAt)), name, money(amountMinor, 'always'), money(balanceMinor)]
      await page.prepare([...cells, more])
      y = drawRow(drawing, cells, y, { more })
      yield
    }
  }
  drawRow(drawing, [dates[1] ?? '', closing, '', money(statement.closingMinor)], y)
}

/** Answers where they end. */
function drawFacts(page: Page, facts: StatementWords['facts'], top: number): number {
  let y = top
  const half = contentWidth(page) / 2
  for (const [label, value] of facts) {
    write(page, label, { weight: 'regular', size: 10, color: MUTED }, { x: MARGIN, y, width: half })
    y = write(
      page,
      value,
      { weight: 'strong', size: 10, color: INK, align: 'end', linesMost: LINES_MOST },
      { x: MARGIN + half, y, width: half },
    )
    y += ROW_GAP
  }
  return y
}

/** Where the next row begins: here, or below the headings of a new page where there is no room for all of it. */
function roomFor(drawing: Drawing, y: number, height: number): number {
  const { page, words } = drawing
  if (hasRoom(page, y, height)) return y
  return drawRow(drawing, words.columns, nextPage(page, words.heading), { color: MUTED })
}

type Look = { color?: string; more?: string }

/** Without the breaks that somebody wrote into it. */
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Answers where it ends. */
function drawRow(drawing: Drawing, cells: Cells, top: number, { color = INK, more = '' }: Look = {}): number {
  const { page } = drawing
  let start = MARGIN
  const parts = cells.flatMap((cell, index) => {
    const share = (SHARES[index] ?? 0) * contentWidth(page)
    const isText = index < 2
    const width = share - GUTTER
    const at = isText ? start : start + GUTTER
    start += share
    if (cell === '') return []
    const look = isText
      ? ({ align: 'start', linesMost: LINES_MOST } as const)
      : ({ align: 'end', oneLine: true } as const)
    const said = lay(page, onOneLine(cell), { weight: 'regular', size: 9, color, ...look }, width)
    const first = { ...said, start: at, below: 0 }
    if (index !== 1 || more === '') return [first]
    const rest = lay(
      page,
      onOneLine(more),
      { weight: 'regular', size: 7.5, color: MUTED, linesMost: LINES_MOST },
      width,
    )
    return [first, { ...rest, start: at, below: said.height + 1 }]
  })
  const height = Math.max(0, ...parts.map((part) => part.below + part.height))
  const y = roomFor(drawing, top, height)
  for (const part of parts) part.drawAt(part.start, y + part.below)
  rule(page, y + height + ROW_GAP / 2)
  return y + height + ROW_GAP
}
