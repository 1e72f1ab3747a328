import type { Deps } from '#server/platform/deps.ts'
import { isVerificationLate } from '#server/platform/backup/verified.ts'
import { asOfOneInstant, runIn } from '#server/platform/db/run.ts'
import { isHeldBack } from '#server/platform/restore-hold.ts'
import type { Slice } from '#server/platform/slice.ts'
import { lateJobs, LATE_JOBS } from '#server/platform/jobs/health.ts'

/** The delay after which waiting money is late, in milliseconds of business time. */
const MONEY_MS = 15 * 60_000
/** The interval between two checks, in milliseconds. */
const WATCH_MS = 30_000

/** The name that is reported while a restored bank waits for its operator. */
const HELD = 'held after a restore'
/** The name that is reported if the log of the embedded database is not copied to its backup. */
export const LATE_BACKUP = 'backups that have stopped'
/** The name that is reported if the last verification of the backups is too old (backup/verified.ts). */
const LATE_VERIFICATION = 'backups that are not verified'

/** Returns the names of everything that can be late. */
export function lateNames(slices: readonly Slice[]): string[] {
  const recurringJobs = slices.flatMap(({ jobs = [] }) => jobs.filter(({ everyMinutes }) => everyMinutes !== null))
  const money = slices.flatMap(({ waitingMoney = [] }) => waitingMoney)
  return [...recurringJobs, ...money].map(({ name }) => name).concat(LATE_JOBS, HELD, LATE_BACKUP, LATE_VERIFICATION)
}

/**
 * Returns the names of everything that is late now: jobs, money that has waited too long, a restored bank's holds and the
 * backups. All queries see the database at the same instant.
 */
export async function lateParts(deps: Deps): Promise<string[]> {
  const { slices, clock, held } = deps
  const allJobs = slices.flatMap((slice) => slice.jobs ?? [])
  const jobs = allJobs.filter((job) => !isHeldBack(deps, job))
  const parkedNames = allJobs.filter((job) => isHeldBack(deps, job)).map(({ name }) => name)
  await clock.refresh()
  const limit = clock.businessNow().getTime() - MONEY_MS
  return asOfOneInstant(deps, async (instantDeps) => {
    const late = await lateJobs(instantDeps.db, jobs, clock.realNow(), parkedNames)
    for (const { name, overdueSince } of slices.flatMap((slice) => slice.waitingMoney ?? [])) {
      const since = await overdueSince(instantDeps)
      if (since && since.getTime() < limit) late.push(name)
    }
    if (held.kinds().length > 0) late.push(HELD)
    if (await isVerificationLate(runIn(instantDeps.db))) late.push(LATE_VERIFICATION)
    return [...late, ...deps.lateness.more()]
  })
}

/** Checks for late work and stores the result for `readLateness`. Concurrent callers share the result. */
export function lookForLate(deps: Deps): Promise<string[]> {
  const { lateness, clock } = deps
  lateness.looking ??= lateParts(deps)
    .then((late) => {
      Object.assign(lateness, { late, at: clock.realNow() })
      return late
    })
    .finally(() => (lateness.looking = null))
  return lateness.looking
}

/**
 * Checks for late work at intervals until the returned function is called. Logs each change of the late work, and the moment
 * when nothing is late any more.
 */
export function watchLateness(deps: Deps): () => Promise<void> {
  let before = ''
  const look = async (): Promise<void> => {
    const late = await lookForLate(deps)
    const now = late.join(', ')
    if (now !== before && late.length > 0) deps.log.warn({ late }, 'behind time')
    if (now !== before && late.length === 0) deps.log.info('on time again')
    before = now
  }
  // A failed check is ignored here, because other code reports an unavailable database.
  const lookQuietly = () => void look().catch(() => undefined)
  lookQuietly()
  const timer = setInterval(lookQuietly, WATCH_MS)
  return async () => clearInterval(timer)
}
