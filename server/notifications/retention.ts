import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR, purgeInSteps } from '#server/platform/retention.ts'
import { dropNoticePeriods, noticePeriods } from '#server/notifications/periods.ts'

/**
 * Deletes notices older than a year, and subscriptions of browsers that no longer open the app. An old finished period is
 * dropped as a whole; other old notices are deleted row by row. Returns the number of rows deleted one by one, without those of
 * dropped periods.
 */
export async function purgeNotices(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<number> {
  const { db, clock, log } = deps
  const [browsers] = await db
    .deleteFrom('bank.push_subscription')
    .where('renewed_at', '<', new Date(clock.realNow().getTime() - KEPT_FOR['bank.push_subscription'].ms))
    .execute()
  const before = new Date(clock.businessNow().getTime() - KEPT_FOR['bank.notification'].ms)
  for (const period of await dropNoticePeriods(deps, before))
    log.info({ period }, 'an old period of notices was deleted')
  let gone = 0
  for (const period of await noticePeriods(deps))
    gone += await purgeInSteps((most) => purgeStep(deps, { period, before, most }))
  return gone + Number(browsers?.numDeletedRows ?? 0)
}

/** The period is a literal in the SQL text, so that PostgreSQL plans for this period only. */
async function purgeStep(
  { db }: Pick<Deps, 'db'>,
  { period, before, most: maxRows }: { period: number; before: Date; most: number },
): Promise<number> {
  const old = db
    .selectFrom('bank.notification')
    .select('id')
    .where('period', '=', sql.lit(period))
    .where('created_at', '<', before)
    .limit(sql.lit(maxRows))
  const [gone] = await db
    .deleteFrom('bank.notification')
    .where('period', '=', sql.lit(period))
    .where('id', 'in', old)
    .execute()
  return Number(gone?.numDeletedRows ?? 0)
}

export const purgeNoticesJob = defineRecurringJob({
  name: 'notifications.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeNotices(deps)),
})
