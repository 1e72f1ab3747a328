import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/**
 * Which rows with a `period` are asked for, as SQL: those of the last two periods, and the others. PostgreSQL knows the bound when
 * it plans, so what asks for recent rows costs the same however many periods there are (docs/decisions/0471).
 *
 * The bound goes up when a period begins, perhaps between two statements. So what recent rows do not tell is asked of the
 * earlier ones afterwards, never before: then a row may be in both, and none is in neither.
 */
export const RECENT = 'period >= ledger.recent_period()'
export const EARLIER = 'period < ledger.recent_period()'
export type Part = typeof RECENT | typeof EARLIER
export const PARTS = [RECENT, EARLIER] as const

/** Whether an account's entry of that version is recent, and so all after it. */
async function isRecent(run: Run, accountId: AccountId, version: number): Promise<boolean> {
  const { rows } = await run(`SELECT FROM ledger.entry WHERE account_id = $1 AND version = $2 AND ${RECENT}`, [
    accountId,
    version,
  ])
  return rows.length > 0
}

type Wanted = {
  accountId: AccountId
  /** The oldest version that may be among them. */
  first: number
  last: number
  most: number
  /** Whether every version from `first` to `last` is. */
  isWhole: boolean
}

/**
 * An account's entries from version `first` to `last`, newest first, as `ask` finds them in a part of the periods up to a
 * version. Versions go up with periods, so the earlier ones are asked only where the recent ones have too few.
 */
export async function newestFirst<Entry extends { version: number | null }>(
  run: Run,
  { accountId, first, last, most, isWhole }: Wanted,
  ask: (part: Part, last: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  if (last < first) return []
  const recent = await ask(RECENT, last)
  if (recent.length >= most) return recent
  const lowest = recent.at(-1)?.version ?? last + 1
  if (lowest <= first || (!isWhole && (await isRecent(run, accountId, first)))) return recent
  return [...recent, ...(await ask(EARLIER, lowest - 1))].slice(0, most)
}
