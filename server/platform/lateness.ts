import type { Deps } from '#server/platform/deps.ts'
import { isVerificationLate } from '#server/platform/backup/verified.ts'
import { asOfOneInstant, runIn } from '#server/platform/db/run.ts'
import { isParked } from '#server/platform/held.ts'
import type { Slice } from '#server/platform/slice.ts'
import { lateJobs, LATE_JOBS } from '#server/platform/jobs/health.ts'

/** Money is late once it should have moved on by itself this long ago, in milliseconds of business time. */
const MONEY_MS = 15 * 60_000
/** How often it is looked for, in milliseconds. */
const WATCH_MS = 30_000

/** A restored bank waits for its operator. */
const HELD = 'held after a restore'
/** The log of the embedded database is not copied to its backup. */
export const LATE_BACKUP = 'backups that do not go on'
/** Nobody has proved for a night that the backups can be restored. */
const LATE_VERIFICATION = 'backups that are not verified'

/** All that can be late, by name. */
export function lateNames(slices: readonly Slice[]): string[] {
  const recurring = slices.flatMap(({ jobs = [] }) => jobs.filter(({ everyMinutes }) => everyMinutes !== null))
  const money = slices.flatMap(({ waitingMoney = [] }) => waitingMoney)
  return [...recurring, ...money].map(({ name }) => name).concat(LATE_JOBS, HELD, LATE_BACKUP, LATE_VERIFICATION)
}

/** What is behind time, by name, all as of one instant: jobs, and money that waits for longer than it should. */
export async function lateParts(deps: Deps): Promise<string[]> {
  const { slices, clock, held } = deps
  const all = slices.flatMap((slice) => slice.jobs ?? [])
  const jobs = all.filter((job) => !isParked(deps, job))
  const parked = all.filter((job) => isParked(deps, job)).map(({ name }) => name)
  await clock.refresh()
  const limit = clock.businessNow().getTime() - MONEY_MS
  return asOfOneInstant(deps, async (then) => {
    const late = await lateJobs(then.db, jobs, clock.realNow(), parked)
    for (const { name, overdueSince } of slices.flatMap((slice) => slice.waitingMoney ?? [])) {
      const since = await overdueSince(then)
      if (since && since.getTime() < limit) late.push(name)
    }
    if (held.kinds().length > 0) late.push(HELD)
    if (await isVerificationLate(runIn(then.db))) late.push(LATE_VERIFICATION)
    return [...late, ...deps.lateness.more()]
  })
}

/** Looks anew, and keeps what is found for `knownLate`. Those who ask meanwhile share the result. */
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

/** Says in the log what becomes late, and when all is on time again, until the answered function is called. */
export function watchLateness(deps: Deps): () => Promise<void> {
  let before = ''
  const look = async (): Promise<void> => {
    const late = await lookForLate(deps)
    const now = late.join(', ')
    if (now !== before && late.length > 0) deps.log.warn({ late }, 'behind time')
    if (now !== before && late.length === 0) deps.log.info('on time again')
    before = now
  }
  // A database that is away is said elsewhere.
  const lookQuietly = () => void look().catch(() => undefined)
  lookQuietly()
  const timer = setInterval(lookQuietly, WATCH_MS)
  return async () => clearInterval(timer)
}
