import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { FINAL_AFTER_DAYS, finalAt } from '#server/disputes/dispute.ts'
import { close, lockWithCustomer, uphold } from '#server/disputes/review.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

function overdueAfter({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: { id: string } | null) {
  const openedBefore = new Date(clock.businessNow().getTime() - FINAL_AFTER_DAYS * DAY_MS)
  let query = db
    .selectFrom('bank.dispute')
    .select('id')
    .where('status', '=', 'open')
    .where('credited_minor', '>', 0)
    .where('created_at', '<=', openedBefore)
  if (after) query = query.where('id', '>', after.id)
  return query.orderBy('id').limit(PAGE_SIZE).execute()
}

/** What a reviewer decided a moment ago, or the customer withdrew, is left alone. */
async function keep(deps: Deps, { id }: { id: string }): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (row?.status !== 'open' || row.credited_minor === 0) return
    const upheldMinor = await uphold(deps, trx, row, { payer: 'card_losses', at: finalAt(row.created_at) })
    await close(deps, trx, { ...row, upheld_minor: upheldMinor }, 'upheld')
  })
}

/**
 * Lets customers keep the credits of disputes that nobody decided in time. The bank pays for them, as of the day on which they
 * became final.
 */
export const finaliseJob = defineSweep({
  name: 'disputes.finalise',
  everyMinutes: 15,
  find: overdueAfter,
  work: keep,
  failed: 'the credit of a dispute could not become final',
})
