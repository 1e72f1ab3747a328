import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/**
 * SQL conditions on rows with a `period`. RECENT selects the last two periods, and EARLIER selects all periods before them.
 * PostgreSQL knows the bound when it plans, so reads of recent rows cost the same for any number of periods
 * (docs/decisions/0471).
 *
 * The bound moves up when a period begins, possibly between two statements. Earlier rows must therefore be read after recent
 * rows, never before: a row may then be in both results, but no row is missing from both.
 */
export const RECENT = 'period >= ledger.recent_period()'
export const EARLIER = 'period < ledger.recent_period()'
export type PeriodPart = typeof RECENT | typeof EARLIER
export const PERIOD_PARTS = [RECENT, EARLIER] as const

/** Whether an account's entry of that version is recent. All later entries are then recent too. */
async function isRecent(run: Run, accountId: AccountId, version: number): Promise<boolean> {
  const { rows } = await run(`SELECT FROM ledger.entry WHERE account_id = $1 AND version = $2 AND ${RECENT}`, [
    accountId,
    version,
  ])
  return rows.length > 0
}

type Wanted = {
  accountId: AccountId
  /** The oldest version that may be among the entries. */
  first: number
  last: number
  most: number
  /** Whether the entries include every version from `first` to `last`. */
  isWhole: boolean
}

/**
 * Returns at most `maxEntries` of an account's entries from version `first` to `last`, newest first. `query` reads the entries
 * up to a version in one part of the periods. Later entries have higher versions. The earlier part is therefore read only if
 * the recent part has too few entries.
 */
export async function readNewestFirst<Entry extends { version: number | null }>(
  run: Run,
  { accountId, first, last, most: maxEntries, isWhole }: Wanted,
  query: (part: PeriodPart, last: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  if (last < first) return []
  const recent = await query(RECENT, last)
  if (recent.length >= maxEntries) return recent
  const lowest = recent.at(-1)?.version ?? last + 1
  if (lowest <= first || (!isWhole && (await isRecent(run, accountId, first)))) return recent
  return [...recent, ...(await query(EARLIER, lowest - 1))].slice(0, maxEntries)
}
