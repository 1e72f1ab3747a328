import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { FINAL_AFTER_DAYS, finalAt } from '#server/disputes/dispute.ts'
import { closeDispute, lockWithCustomer, upholdDispute } from '#server/disputes/review.ts'
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

/** Finalizes one credit. A dispute that was decided or withdrawn meanwhile is skipped. */
async function finalizeCredit(deps: Deps, { id }: { id: string }): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (row?.status !== 'open' || row.credited_minor === 0) return
    const upheldMinor = await upholdDispute(deps, trx, row, { payer: 'card_losses', at: finalAt(row.created_at) })
    await closeDispute(deps, trx, { ...row, upheld_minor: upheldMinor }, 'upheld')
  })
}

/**
 * Makes the credits of undecided disputes final after `FINAL_AFTER_DAYS`. The bank pays for these credits. Each one is booked
 * at the time at which it became final, even if this job runs late.
 */
export const finalizeCreditsJob = defineSweep({
  name: 'disputes.finalise',
  everyMinutes: 15,
  find: overdueAfter,
  work: finalizeCredit,
  failed: 'the credit of a dispute could not become final',
})
