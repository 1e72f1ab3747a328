import { yearOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { COINS } from '#contract/markets.ts'
import { ASSETS, type Asset } from '#contract/money.ts'
import { type NumberedTrade, tradesAfter } from '#server/crypto/trading/trades.ts'
import { type ClosedLot, type DatedTrade, matchLots, type OpenLot } from '#server/markets/lots.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The headings are in English, because programs read them. */
const COLUMNS = ['Asset', 'Acquired', 'Sold', 'Amount', 'Cost (USD)', 'Proceeds (USD)', 'Gain (USD)']

/**
 * Returns the tax lots of a year as CSV (RFC 4180), matched first in, first out. For each coin, the lots sold in the year come
 * first. The lots still held at the end of the year follow, with an empty sale date and empty proceeds. Days are in the bank's
 * time zone. Fees are added to costs and subtracted from proceeds.
 */
export async function taxLots(deps: Pick<Deps, 'db'>, customerId: string, year: number): Promise<string> {
  const trades = await tradesUpTo(deps, customerId, year)
  const rows = COINS.flatMap((asset) => {
    const { closed, open } = matchLots(trades.filter((trade) => trade.asset === asset).map(datedTrade))
    const soldLots = closed.filter(({ soldAt }) => yearOf(soldAt) === year)
    return [...soldLots.map((lot) => soldRow(asset, lot)), ...open.map((lot) => heldRow(asset, lot))]
  })
  return [COLUMNS, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

async function tradesUpTo(deps: Pick<Deps, 'db'>, customerId: string, year: number): Promise<NumberedTrade[]> {
  const trades: NumberedTrade[] = []
  const everyTrade = everyPage(
    (after: number | null) => tradesAfter(deps, customerId, after, PAGE_SIZE),
    ({ number }) => number,
  )
  for await (const trade of everyTrade) if (yearOf(new Date(trade.bookedAt)) <= year) trades.push(trade)
  return trades
}

const datedTrade = ({ id, side, amountMinor, dollarsMinor, bookedAt }: NumberedTrade): DatedTrade => ({
  id,
  at: new Date(bookedAt),
  side,
  unitsMinor: amountMinor,
  centsMinor: dollarsMinor,
})

const soldRow = (asset: Asset, lot: ClosedLot): string[] => [
  asset,
  dayOf(lot.boughtAt),
  dayOf(lot.soldAt),
  plainAmount(lot.unitsMinor, asset),
  plainAmount(lot.costMinor, 'USD'),
  plainAmount(lot.proceedsMinor, 'USD'),
  plainAmount(lot.proceedsMinor - lot.costMinor, 'USD'),
]

const heldRow = (asset: Asset, lot: OpenLot): string[] => [
  asset,
  dayOf(lot.boughtAt),
  '',
  plainAmount(lot.unitsMinor, asset),
  plainAmount(lot.costMinor, 'USD'),
  '',
  '',
]

/** Returns an amount in the form that programs read: '-1234.50'. */
function plainAmount(amountMinor: number, asset: Asset): string {
  const { decimals } = ASSETS[asset]
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * Returns a cell. A number may begin with a sign. Any other text that a spreadsheet could run as a formula gets a leading
 * apostrophe.
 */
function csvCell(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
