import { sizePeriods } from '#server/ledger/periods.ts'
import type { Run } from '#server/platform/db/run.ts'

/**
 * Sets the minimum size of a period, for the ledger's transfers and for notices, before it ends. The owner role runs it at each
 * start.
 */
export async function sizeAllPeriods(run: Run, bytes: { ledger: number; notices: number }): Promise<void> {
  await sizePeriods(run, bytes.ledger)
  await run('UPDATE bank.notice_period_rule SET ends_from_bytes = $1 WHERE ends_from_bytes <> $1', [bytes.notices])
}
