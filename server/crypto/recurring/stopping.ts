import { Refusal } from '#contract/errors.ts'
import { makeDueBuys } from '#server/crypto/recurring/buying.ts'
import { planNextRun } from '#server/crypto/recurring/next-run.ts'
import { lockRecurring, recurringQuery } from '#server/crypto/recurring/recurring.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { dueUpTo } from '#server/schedules/calendar.ts'

/**
 * Stops a recurring buy; again changes nothing. Dates that are due are bought all the same: their price may be known. Throws
 * Refusal `not_found`.
 */
export async function stopRecurring(deps: Deps, customerId: string, id: string): Promise<void> {
  await makeItsDueDates(deps, customerId, id)
  await inTransaction(deps.db, async (trx) => {
    const row = await lockRecurring(trx, customerId, id)
    if (row?.status !== 'active') return
    await trx.updateTable('bank.crypto_recurring').set({ status: 'stopped' }).where('id', '=', id).execute()
    await planNextRun(trx, customerId)
  })
}

/** Makes what is due of a customer where that includes a date of this buy: a job that is late gives nobody a choice. */
async function makeItsDueDates(deps: Deps, customerId: string, id: string): Promise<void> {
  // Another server may just have put the date forward.
  await deps.clock.refresh()
  const row = await recurringQuery(deps.db)
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  if (row.status === 'active' && row.next_on <= dueUpTo(deps.clock.businessNow())) await makeDueBuys(deps, customerId)
}
