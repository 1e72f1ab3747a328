import type { Period } from '#server/calendar/months.ts'
import type { Run } from '#server/platform/db/run.ts'
import { ENTRIES, type Line, toLine } from '#server/ledger/statement.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** An entry, and what the account held after it, of what is booked up to then. */
export type StatedLine = Line & {
  /** Which of its operation's transfers it is. */
  leg: number
  balanceAfterMinor: number
}

/** What a period comes to, minor units; both of what came in and what went out zero or more. */
export type PeriodSums = { openingMinor: number; inMinor: number; outMinor: number; count: number; inCount: number }

/** The same, and the versions of the period's entries, oldest first. */
export type StatedPeriod = PeriodSums & { versions: number[] }

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

/** The sums of a period alone, however many entries it has. */
export async function sumPeriod(run: Run, accountId: AccountId, { from, to }: Period): Promise<PeriodSums> {
  const { rows } = await run(`SELECT ${SUMS} FROM (${ENTRIES} AND booked_at < $3 OFFSET 0) entry`, [
    accountId,
    from,
    to,
  ])
  return toSums(rows[0])
}

/**
 * What was booked on an account in a period, by the dates that it was booked at; read at one instant. Entries are only
 * ever added, so `readLines` finds the same ones later, whatever is booked meanwhile. Null where there are more than
 * `most`.
 */
export async function readPeriod(
  run: Run,
  accountId: AccountId,
  { from, to }: Period,
  most: number,
): Promise<StatedPeriod | null> {
  const { rows } = await run(
    `WITH entry AS MATERIALIZED (
       SELECT version, booked_at, amount_minor FROM (${ENTRIES} AND booked_at < $3 OFFSET 0) booked)
     SELECT ${SUMS}, (
       SELECT json_agg(version ORDER BY booked_at, version)
         FROM (SELECT * FROM entry WHERE booked_at >= $2 ORDER BY booked_at, version LIMIT $4) stated) AS versions
       FROM entry`,
    [accountId, from, to, most],
  )
  const sums = toSums(rows[0])
  if (sums.count > most) return null
  return { ...sums, versions: (rows[0]?.['versions'] as number[] | null | undefined) ?? [] }
}

/**
 * The entries of a period, so many at a time. Two payments may be booked in another order than their dates, and at the edge of a period it
 * is the date that counts: so the balances here are added up anew, and a period closes with what the next one opens with.
 */
export async function* readLines(
  run: Run,
  accountId: AccountId,
  { openingMinor, versions }: Pick<StatedPeriod, 'openingMinor' | 'versions'>,
  atATime: number,
): AsyncGenerator<StatedLine[]> {
  let balanceAfterMinor = openingMinor
  for (let start = 0; start < versions.length; start += atATime) {
    const wanted = versions.slice(start, start + atATime)
    // OFFSET 0: see 0042_flat_reads.sql.
    const { rows } = await run(
      `SELECT entry.* FROM unnest($2::bigint[]) wanted, LATERAL (${ENTRIES} AND version = wanted OFFSET 0) entry`,
      [accountId, wanted],
    )
    const found = new Map(rows.map((row) => [row['version'] as number, row]))
    yield wanted.map((version) => {
      const row = found.get(version)
      if (!row) throw new Error(`Entry ${version} of account ${accountId} is gone`)
      const line = toLine(row)
      balanceAfterMinor += line.amountMinor
      return { ...line, leg: row['leg'] as number, balanceAfterMinor }
    })
  }
}
