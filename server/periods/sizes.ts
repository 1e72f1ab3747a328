import { sizePeriods } from '#server/ledger/periods.ts'
import type { Run } from '#server/platform/db/run.ts'

/** Sets how much room the transfers and the notices of a period take at least before it ends. Run by the owner, at each start. */
export async function sizeAllPeriods(run: Run, bytes: { ledger: number; notices: number }): Promise<void> {
  await sizePeriods(run, bytes.ledger)
  await run('UPDATE bank.notice_period_rule SET ends_from_bytes = $1 WHERE ends_from_bytes <> $1', [bytes.notices])
}
