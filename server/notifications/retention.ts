import { DAY_MS } from '#server/platform/durations.ts'
import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

/** For how long a notice is kept, in milliseconds of business time. */
const KEPT_MS = 365 * DAY_MS
/** A browser in which nobody has opened the app for this long is told nothing more, in milliseconds of real time. */
const UNUSED_MS = 60 * DAY_MS
/** The most that go in one run, so that no lock is held for long. */
const MOST = 5_000

/** Removes notices older than a year, and browsers in which the app is not opened any more. Answers how many rows went. */
export async function purgeNotices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const [notices] = await db
    .deleteFrom('bank.notification')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('bank.notification')
        .select('id')
        .where('created_at', '<', new Date(clock.businessNow().getTime() - KEPT_MS))
        .limit(sql.lit(MOST)),
    )
    .execute()
  const [browsers] = await db
    .deleteFrom('bank.push_subscription')
    .where('renewed_at', '<', new Date(clock.realNow().getTime() - UNUSED_MS))
    .execute()
  return Number(notices?.numDeletedRows ?? 0) + Number(browsers?.numDeletedRows ?? 0)
}

export const purgeNoticesJob = defineRecurringJob({
  name: 'notifications.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeNotices(deps)),
})
