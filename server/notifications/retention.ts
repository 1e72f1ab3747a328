import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR, purgeInSteps } from '#server/platform/retention.ts'

/** Removes notices older than a year, and browsers in which the app is not opened any more. Answers how many rows went. */
export async function purgeNotices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.businessNow().getTime() - KEPT_FOR['bank.notification'].ms)
  const notices = await purgeInSteps(async (most) => {
    const old = db.selectFrom('bank.notification').select('id').where('created_at', '<', before).limit(sql.lit(most))
    const [gone] = await db.deleteFrom('bank.notification').where('id', 'in', old).execute()
    return Number(gone?.numDeletedRows ?? 0)
  })
  const [browsers] = await db
    .deleteFrom('bank.push_subscription')
    .where('renewed_at', '<', new Date(clock.realNow().getTime() - KEPT_FOR['bank.push_subscription'].ms))
    .execute()
  return notices + Number(browsers?.numDeletedRows ?? 0)
}

export const purgeNoticesJob = defineRecurringJob({
  name: 'notifications.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeNotices(deps)),
})
