import { FINAL_AFTER_DAYS, finalAt } from '#server/disputes/dispute.ts'
import { close, lockWithCustomer, uphold } from '#server/disputes/review.ts'
import { DAY_MS } from '#server/platform/days.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** How many are read at once. */
const BATCH = 100

/**
 * Lets customers keep the credits of disputes that nobody decided in time. The bank pays for them, as of the day on which they
 * became final. One that fails keeps no other.
 */
async function finalise(deps: Deps): Promise<void> {
  for (let after: string | null = null; ;) {
    const due: { id: string }[] = await overdueAfter(deps, after)
    for (const { id } of due) {
      await keep(deps, id).catch((error: unknown) =>
        deps.log.error({ err: error, disputeId: id }, 'the credit of a dispute could not become final'),
      )
    }
    if (due.length < BATCH) return
    after = due.at(-1)?.id ?? null
  }
}

function overdueAfter({ db, clock }: Pick<Deps, 'db' | 'clock'>, after: string | null) {
  const openedBefore = new Date(clock.businessNow().getTime() - FINAL_AFTER_DAYS * DAY_MS)
  let query = db
    .selectFrom('bank.dispute')
    .select('id')
    .where('status', '=', 'open')
    .where('credited_minor', '>', 0)
    .where('created_at', '<=', openedBefore)
  if (after) query = query.where('id', '>', after)
  return query.orderBy('id').limit(BATCH).execute()
}

/** What a reviewer decided a moment ago, or the customer withdrew, is left alone. */
async function keep(deps: Deps, id: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockWithCustomer(trx, id)
    if (row?.status !== 'open' || row.credited_minor === 0) return
    const upheldMinor = await uphold(deps, trx, row, { payer: 'card_losses', at: finalAt(row.created_at) })
    await close(deps, trx, { ...row, upheld_minor: upheldMinor }, 'upheld')
  })
}

export const finaliseJob = defineRecurringJob({
  name: 'disputes.finalise',
  everyMinutes: 15,
  work: finalise,
})
