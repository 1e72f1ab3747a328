import { paidBetweenHolders, type HolderPaymentCursor } from '#server/ledger/payments-between-holders.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { earnPoints } from '#server/rewards/earning.ts'

/** The largest time between a payment's own time and its commit, in milliseconds. */
const LEEWAY_MS = 60_000
const PAGE = 500
/** An id below all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the time up to which all payments have their points. */
async function sweptUntil({ db }: Pick<Deps, 'db'>): Promise<Date> {
  const row = await db.selectFrom('bank.points_sweep').select('swept_until').executeTakeFirstOrThrow()
  return row.swept_until
}

/** Returns whether there are payments that the sweep has not processed. */
async function someSent({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const after = { bookedAt: await sweptUntil({ db }), operationId: FIRST_ID }
  return (await paidBetweenHolders(runIn(db), { after, before: clock.businessNow(), limit: 1 })).length > 0
}

/** Gives the points of payments whose server died before it had given them. */
async function sweepSends(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const before = clock.businessNow()
  let after: HolderPaymentCursor = { bookedAt: await sweptUntil(deps), operationId: FIRST_ID }
  for (;;) {
    const paid = await paidBetweenHolders(runIn(db), { after, before, limit: PAGE })
    await earnPoints(
      deps,
      paid.map(({ operationId, payerId, payeeId, amountMinor, bookedAt, name }) => ({
        kind: 'send',
        causeId: operationId,
        customerId: payerId,
        recipientId: payeeId,
        amountMinor,
        at: bookedAt,
        name,
      })),
    )
    const last = paid.at(-1)
    if (!last || paid.length < PAGE) break
    after = last
  }
  await db
    .updateTable('bank.points_sweep')
    .set({ swept_until: new Date(before.getTime() - LEEWAY_MS) })
    .execute()
}

export const sweepSendsJob = defineRecurringJob({
  name: 'rewards.sweep_sends',
  everyMinutes: 1,
  byDate: true,
  isDue: someSent,
  work: sweepSends,
})
