import { yearOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { COINS } from '#contract/markets.ts'
import { ASSETS, type Asset } from '#contract/money.ts'
import { type NumberedTrade, tradesAfter } from '#server/crypto/trading/trades.ts'
import { type ClosedLot, type DatedTrade, matchLots, type OpenLot } from '#server/markets/lots.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'

/** In English, for the programs that read it. */
const COLUMNS = ['Asset', 'Acquired', 'Sold', 'Amount', 'Cost (USD)', 'Proceeds (USD)', 'Gain (USD)']

/**
 * The tax lots of a year, by first in, first out: what was sold in it, then what was still held at its end, whose dates of
 * sale and proceeds are empty. Comma-separated by RFC 4180. Days are the bank's; fees are part of a cost and off the proceeds.
 */
export async function taxLots(deps: Pick<Deps, 'db'>, customerId: string, year: number): Promise<string> {
  const trades = await tradesUpTo(deps, customerId, year)
  const rows = COINS.flatMap((asset) => {
    const { closed, open } = matchLots(trades.filter((trade) => trade.asset === asset).map(datedTrade))
    const sold = closed.filter(({ soldAt }) => yearOf(soldAt) === year)
    return [...sold.map((lot) => soldRow(asset, lot)), ...open.map((lot) => heldRow(asset, lot))]
  })
  return [COLUMNS, ...rows].map((cells) => `${cells.map(written).join(',')}\r\n`).join('')
}

async function tradesUpTo(deps: Pick<Deps, 'db'>, customerId: string, year: number): Promise<NumberedTrade[]> {
  const trades: NumberedTrade[] = []
  const all = everyPage(
    (after: number | null) => tradesAfter(deps, customerId, after, PAGE_SIZE),
    ({ number }) => number,
  )
  for await (const trade of all) if (yearOf(new Date(trade.bookedAt)) <= year) trades.push(trade)
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
  plain(lot.unitsMinor, asset),
  plain(lot.costMinor, 'USD'),
  plain(lot.proceedsMinor, 'USD'),
  plain(lot.proceedsMinor - lot.costMinor, 'USD'),
]

const heldRow = (asset: Asset, lot: OpenLot): string[] => [
  asset,
  dayOf(lot.boughtAt),
  '',
  plain(lot.unitsMinor, asset),
  plain(lot.costMinor, 'USD'),
  '',
  '',
]

/** An amount for a program to read: '-1234.50'. */
function plain(amountMinor: number, asset: Asset): string {
  const { decimals } = ASSETS[asset]
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** A number may begin with a sign; any other cell that a spreadsheet could take for a formula is kept as text. */
function written(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
