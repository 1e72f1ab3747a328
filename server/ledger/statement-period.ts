import type { Period } from '#server/calendar/months.ts'
import type { Run } from '#server/platform/db/run.ts'
import { ENTRIES, type Line, toLine } from '#server/ledger/statement.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** An entry with the account's balance after it. The balance is computed in the order of booking dates. */
export type StatementEntry = Line & {
  /** The number of the transfer within its operation. */
  leg: number
  balanceAfterMinor: number
}

/** The sums of a period in minor units. Both the incoming and the outgoing sum are zero or more. */
export type PeriodSums = { openingMinor: number; inMinor: number; outMinor: number; count: number; inCount: number }

/** The sums of a period and the versions of its entries, oldest first. */
export type StatementPeriod = PeriodSums & { versions: number[] }

const SUMS = `coalesce(sum(amount_minor) FILTER (WHERE booked_at < $2), 0)::bigint AS opening_minor,
    coalesce(sum(amount_minor) FILTER (WHERE booked_at >= $2 AND amount_minor > 0), 0)::bigint AS in_minor,
    coalesce(-sum(amount_minor) FILTER (WHERE booked_at >= $2 AND amount_minor < 0), 0)::bigint AS out_minor,
    count(*) FILTER (WHERE booked_at >= $2)::int AS count,
    count(*) FILTER (WHERE booked_at >= $2 AND amount_minor > 0)::int AS in_count`

const toSums = (row: Record<string, unknown> | undefined): PeriodSums => ({
  openingMinor: row?.['opening_minor'] as number,
  inMinor: row?.['in_minor'] as number,
  outMinor: row?.['out_minor'] as number,
  count: row?.['count'] as number,
  inCount: row?.['in_count'] as number,
})

/** Returns only the sums of a period, without the entries. The period may have any number of entries. */
export async function sumPeriod(run: Run, accountId: AccountId, { from, to }: Period): Promise<PeriodSums> {
  const { rows } = await run(`SELECT ${SUMS} FROM (${ENTRIES} AND booked_at < $3 OFFSET 0) entry`, [
    accountId,
    from,
    to,
  ])
  return toSums(rows[0])
}

/**
 * Returns the sums and the entries of an account in a period, by booking date, read at one instant. Entries are only ever
 * added, so `readLines` finds the same entries later, whatever is booked meanwhile. Returns null if the period has more than
 * `maxEntries` entries.
 */
export async function readPeriod(
  run: Run,
  accountId: AccountId,
  { from, to }: Period,
  maxEntries: number,
): Promise<StatementPeriod | null> {
  const { rows } = await run(
    `WITH entry AS MATERIALIZED (
       SELECT version, booked_at, amount_minor FROM (${ENTRIES} AND booked_at < $3 OFFSET 0) booked)
     SELECT ${SUMS}, (
       SELECT json_agg(version ORDER BY booked_at, version)
         FROM (SELECT * FROM entry WHERE booked_at >= $2 ORDER BY booked_at, version LIMIT $4) stated) AS versions
       FROM entry`,
    [accountId, from, to, maxEntries],
  )
  const sums = toSums(rows[0])
  if (sums.count > maxEntries) return null
  return { ...sums, versions: (rows[0]?.['versions'] as number[] | null | undefined) ?? [] }
}

/**
 * Yields the entries of a period in pages. The ledger may book two payments in a different order than their dates, and the date
 * decides the period. This function therefore adds up the balances again in date order. The closing balance of a period then
 * equals the opening balance of the next one.
 */
export async function* readLines(
  run: Run,
  accountId: AccountId,
  { openingMinor, versions }: Pick<StatementPeriod, 'openingMinor' | 'versions'>,
  atATime: number,
): AsyncGenerator<StatementEntry[]> {
  let balanceAfterMinor = openingMinor
  for (let start = 0; start < versions.length; start += atATime) {
    const batch = versions.slice(start, start + atATime)
    // `OFFSET 0` keeps PostgreSQL from merging the subquery (0042_flat_reads.sql).
    const { rows } = await run(
      `SELECT entry.* FROM unnest($2::bigint[]) wanted, LATERAL (${ENTRIES} AND version = wanted OFFSET 0) entry`,
      [accountId, batch],
    )
    const rowsByVersion = new Map(rows.map((row) => [row['version'] as number, row]))
    yield batch.map((version) => {
      const row = rowsByVersion.get(version)
      if (!row) throw new Error(`Entry ${version} of account ${accountId} is gone`)
      const line = toLine(row)
      balanceAfterMinor += line.amountMinor
      return { ...line, leg: row['leg'] as number, balanceAfterMinor }
    })
  }
}
