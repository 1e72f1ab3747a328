import type { Run } from '#server/platform/db/run.ts'
import type { Period } from '#server/ledger/flows.ts'
import { ENTRIES, type Line, toLine } from '#server/ledger/statement.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** An entry, and what the account held after it, of what is booked up to then. */
export type StatedLine = Line & {
  /** Which of its operation's transfers it is. */
  leg: number
  balanceAfterMinor: number
}

/** What an account held before a period, and what was booked within it, oldest first. */
export type StatedPeriod = { openingMinor: number; lines: StatedLine[] }

/**
 * What was booked on an account in a period, by the dates that it was booked at; read at one instant. Two payments may be
 * booked in another order than their dates, and at the edge of a period it is the date that counts: so the balances here are added up anew,
 * and a period closes with what the next one opens with. Null where there are more than `most` entries.
 */
export async function readPeriod(
  run: Run,
  accountId: AccountId,
  { from, to }: Period,
  most: number,
): Promise<StatedPeriod | null> {
  const { rows } = await run(
    `SELECT opening.minor AS opening_minor, line.*
       FROM (SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM (${ENTRIES} AND booked_at < $2 OFFSET 0) earlier) opening
       LEFT JOIN (SELECT * FROM (${ENTRIES} AND booked_at >= $2 AND booked_at < $3 OFFSET 0) booked
                   ORDER BY booked_at, version LIMIT $4) line ON true
      ORDER BY line.booked_at, line.version`,
    [accountId, from, to, most + 1],
  )
  if (rows.length > most) return null
  const openingMinor = (rows[0]?.['opening_minor'] as number | undefined) ?? 0
  let balanceAfterMinor = openingMinor
  const booked = rows.filter((row) => row['operation_id'] !== null)
  const lines = booked.map((row) => {
    const line = toLine(row)
    balanceAfterMinor += line.amountMinor
    return { ...line, leg: row['leg'] as number, balanceAfterMinor }
  })
  return { openingMinor, lines }
}

/** What a period comes to, minor units; both of what came in and what went out zero or more. */
export type PeriodSums = { openingMinor: number; inMinor: number; outMinor: number; count: number }

/** The sums of a period alone, however many entries it has. */
export async function sumPeriod(run: Run, accountId: AccountId, { from, to }: Period): Promise<PeriodSums> {
  const { rows } = await run(
    `SELECT coalesce(sum(amount_minor) FILTER (WHERE booked_at < $2), 0)::bigint AS opening_minor,
            coalesce(sum(amount_minor) FILTER (WHERE booked_at >= $2 AND amount_minor > 0), 0)::bigint AS in_minor,
            coalesce(-sum(amount_minor) FILTER (WHERE booked_at >= $2 AND amount_minor < 0), 0)::bigint AS out_minor,
            count(*) FILTER (WHERE booked_at >= $2)::int AS count
       FROM (${ENTRIES} AND booked_at < $3 OFFSET 0) entry`,
    [accountId, from, to],
  )
  const [row] = rows
  return {
    openingMinor: row?.['opening_minor'] as number,
    inMinor: row?.['in_minor'] as number,
    outMinor: row?.['out_minor'] as number,
    count: row?.['count'] as number,
  }
}
