import { localDayOf } from '#server/platform/time-zone.ts'
import { intlLocale } from '#contract/languages.ts'
import { PDF_MARK } from '#contract/file-progress.ts'
import { formatAmount } from '#contract/money.ts'
import { BRAND, drawHeader, MUTED, type Page, pdfPieces } from '#server/platform/pdf/page.ts'
import { drawFacts, drawSums, openTable } from '#server/platform/pdf/parts.ts'
import type { StatementWords } from '#server/statements/formats/words.ts'
import type { AccountStatement, StatementLines } from '#server/statements/reading/statement.ts'

/** The widths of the columns, as shares of the table's width: date, description, amount, balance. */
const SHARES = [0.18, 0.43, 0.195, 0.195] as const

type Drawing = { page: Page; words: StatementWords }

/** Yields a statement as a PDF of numbered A4 pages, piece by piece. */
export function statementPdf(
  statement: AccountStatement,
  words: StatementWords,
  lines: StatementLines,
): AsyncGenerator<Uint8Array> {
  const { language, madeAt } = statement
  const { title, footer, pageOf } = words
  return pdfPieces({ language, title, madeAt, footer, pageOf }, (page) =>
    drawStatement({ page, words }, statement, lines),
  )
}

async function* drawStatement(
  drawing: Drawing,
  statement: AccountStatement,
  lines: StatementLines,
): AsyncGenerator<string | void> {
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
  const { opening, closing, nothing: emptyText, columns, heading } = words
  const facts = [...words.facts, ...words.sums]
  const dates = [statement.range.from, statement.range.to].map((day) => days.format(localDayOf(day)))
  await page.prepare([emptyText, ...dates, ...facts.map(([label]) => label)])
  await page.prepare(
    ['Alder', heading, opening, closing, ...dates, ...columns, ...facts.map(([, value]) => value)],
    'strong',
  )
  const top = drawFacts(page, heading, words.facts, drawHeader(page, heading))
  const table = openTable(
    page,
    { page: heading },
    columns.map((name, index) => ({ name, share: SHARES[index] ?? 0, figures: index >= 2 })),
    drawSums(page, heading, words.sums, top + 4) + 20,
  )
  const balance = (date: string | undefined, name: string, minor: number) =>
    table.row([date ?? '', name, '', money(minor)].map((text) => ({ text, strong: true })))
  balance(dates[0], opening, statement.openingMinor)
  if (statement.count === 0) table.row(['', emptyText, '', ''].map((text) => ({ text, color: MUTED })))
  let drawnLines = 0
  for await (const batch of lines) {
    for (const line of batch) {
      const { name, amountMinor } = line
      const more = onOneLine([line.method, line.note].filter((part) => part !== '').join(' · '))
      const [day, amount] = [days.format(localDayOf(line.bookedAt)), money(amountMinor, 'always')]
      const balanceText = money(line.balanceMinor)
      await page.prepare([day, name, amount, balanceText, more])
      table.row([
        { text: day },
        { text: onOneLine(name), more },
        amountMinor > 0 ? { text: amount, color: BRAND } : { text: amount },
        { text: balanceText },
      ])
      drawnLines += 1
      yield drawnLines % PDF_MARK.each === 0 ? PDF_MARK.text : undefined
    }
  }
  balance(dates[1], closing, statement.closingMinor)
  table.end()
}

/** Returns a text on one line, with one space for each run of white space. */
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
