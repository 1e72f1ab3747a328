import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { readDate } from '#server/platform/clock.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isHeldBack } from '#server/platform/restore-hold.ts'
import { TRUSTED_MS } from '#server/platform/jobs/date-gate.ts'
import { defineJob, type RunnableJob } from '#server/platform/jobs/job.ts'
import {
  hideJobs,
  nextDue,
  readyJobs,
  releaseDueJobs,
  retriedJobs,
  retryNow,
  restoreHiddenJobs,
} from '#server/platform/jobs/graphile.ts'
import { hasOtherServers } from '#server/platform/jobs/presence.ts'
import { ROUND } from '#server/platform/jobs/health.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { toBankZone } from '#server/platform/time-zone.ts'

/**
 * Moves the business date day by day. If the date was put forward, or the bank was down for days, the date stops
 * (`bank.clock_move.stands_at`) at one moment after another until it arrives. At each stop the server does the work that is due
 * by then, and nothing else (date-gate.ts). So the work of a day is recorded on that day and before the next day's work. Moving
 * by a month gives the same books as moving by thirty single days.
 */

/**
 * The first stop of each day, as the time since the beginning of the day. The work of the day is due by then. The second stop
 * is the last second of the day.
 */
const WORK_IS_DUE = { hours: 1, minutes: 1 }
/** The greatest distance between jobs that share a stop, in milliseconds. */
const TOGETHER_MS = 60_000
/** The longest wait for jobs, in milliseconds. A stop with the work of a day has one wait before it and one after it. */
const PATIENCE_MS = 30_000
/**
 * The number of attempts for failing work at a stop, and the first pause between two attempts in milliseconds. After the last
 * attempt, the date moves on.
 */
const TRIES = 4
const REST_MS = 250
/**
 * The wait for requests of other servers before the date moves, in milliseconds. This server cannot see when these requests
 * end.
 */
const REQUESTS_MS = 3_000
/** The longest wait for requests of this server, in milliseconds: longer than a statement may take. */
const OWN_REQUESTS_MS = 16_000
/** The pause of a walk after a failure of the database, in milliseconds. */
const TROUBLE_MS = 1_000
const LOOK_MS = 10
/** The time without any server's work after which the bank counts as having been down, in milliseconds. */
const OUTAGE_MS = 5 * 60_000

type WalkDeps = Pick<Deps, 'db' | 'clock' | 'log'>

const WALK = { name: 'platform.walk_date', payload: z.object({}) }

type Walkers = {
  /** All background jobs of the bank. */
  jobs: readonly RunnableJob[]
  /** The number that identifies this server among the servers of the bank. */
  server: number
}

/** Defines the job that moves the date to its destination. */
export const walkJob = (walkers: Walkers) =>
  defineJob({ ...WALK, work: (deps: Deps, _, stopping) => walk(deps, walkers, stopping) })

/** Enqueues the job that moves the date, stop by stop, to its destination. */
const beginWalk = (trx: Kysely<Database>) => enqueue(trx, WALK, {}, { key: WALK.name, queue: WALK.name })

/**
 * Stops the date at a moment of business time. From there, the date moves day by day to its destination. The caller must have
 * locked the date, and the date must not be moving yet.
 */
async function standAt(trx: Kysely<Database>, stopAt: Date, aheadMs: number): Promise<void> {
  await trx.updateTable('bank.clock_move').set({ stands_at: stopAt }).execute()
  // With hundreds of thousands of jobs, hiding them takes longer than the usual limit for a statement.
  await sql`SET LOCAL statement_timeout = '10min'`.execute(trx)
  await hideJobs(trx, aheadMs)
  await releaseDueJobs(trx, stopAt)
  await beginWalk(trx)
}

/**
 * Starts a day-by-day move of the date when `trx` commits. `lengthFrom` receives the current date or, if the date is moving
 * already, its present destination. It returns the length of the move from there, in milliseconds. Locks the clock until the
 * commit. Returns the new destination.
 */
export async function moveDate(
  trx: Kysely<Database>,
  { clock }: Pick<Deps, 'clock'>,
  lengthFrom: (target: Date) => number,
): Promise<Date> {
  const { aheadMs, standsAt } = await readDate(trx, { lock: true })
  const target = new Date(clock.realNow().getTime() + aheadMs)
  const ms = lengthFrom(target)
  await trx
    .updateTable('bank.clock_move')
    .set(({ eb }) => ({ moved_ms: eb('moved_ms', '+', ms) }))
    .execute()
  if (!standsAt) await standAt(trx, target, aheadMs)
  // The date is moving already. Its job may have failed permanently, so a new job is enqueued.
  else await beginWalk(trx)
  return new Date(target.getTime() + ms)
}

/** Resolves once the date has arrived, or after `withinMs`. Returns whether it has arrived. */
export async function hasCaughtUp({ clock }: Pick<Deps, 'clock'>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  await clock.refresh()
  while (clock.movingTo() && performance.now() < until) {
    await sleep(LOOK_MS)
    await clock.refresh()
  }
  return !clock.movingTo()
}

/**
 * Moves the date back to the time of the last work of any server, if that was on an earlier day and at least `OUTAGE_MS` ago.
 * The work of the days since then is done afterwards, day by day. Must run before the first job. After a suspension of this
 * process, jobs may have begun already: `before` is then the real time at which the suspension began.
 */
export async function resumeAfterOutage({ db, clock }: WalkDeps, before?: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { aheadMs, standsAt } = await readDate(trx, { lock: true })
    // The date is moving already. Its job may have failed permanently, so a new job is enqueued. If another server is moving
    // the date, the new job finds nothing to do.
    if (standsAt) return beginWalk(trx)
    const lastSeenAt = await lastSeen(trx, before ?? clock.realNow())
    if (lastSeenAt === 'since') return
    const gapMs = lastSeenAt ? clock.realNow().getTime() - lastSeenAt.getTime() : 0
    const now = clock.realNow().getTime() + aheadMs
    if (gapMs < OUTAGE_MS || now - gapMs >= toBankZone(new Date(now)).startOfDay().epochMilliseconds) return
    await standAt(trx, new Date(now - gapMs), aheadMs)
  })
  await clock.refresh()
}

/**
 * Returns the real time of the last work of any server before an instant, or of the date's last arrival if that was later.
 * Returns null if no server has worked before the instant, and 'since' if a server has worked after it. Only a round of
 * recurring jobs proves work after the instant: this server makes no round before the work of the missed days
 * (recurring-rounds.ts). The record of another job proves nothing, because this server may have done that job after its own
 * suspension.
 */
async function lastSeen(trx: Kysely<Database>, before: Date): Promise<Date | 'since' | null> {
  const { worked: workedAt, since } = await trx
    .selectFrom('bank.job_run')
    .select(({ fn }) => [
      fn.max('succeeded_at').filterWhere('succeeded_at', '<=', before).as('worked'),
      fn.max('succeeded_at').filterWhere('name', '=', ROUND.name).filterWhere('succeeded_at', '>', before).as('since'),
    ])
    .executeTakeFirstOrThrow()
  if (since) return 'since'
  const { arrived_at: arrived } = await trx.selectFrom('bank.clock_move').select('arrived_at').executeTakeFirstOrThrow()
  return workedAt && arrived && arrived > workedAt ? arrived : workedAt
}

/**
 * A stop of the date. `isOfDay`: whether the work of a day is done at this stop. `isLast`: whether this stop was the
 * destination when it was chosen. `aheadMs`: the lead of the business date at that destination, in milliseconds.
 */
type Stop = { at: Date; isOfDay: boolean; isLast: boolean; aheadMs: number }

async function walk(deps: Deps, { jobs, server }: Walkers, stopping: AbortSignal | undefined): Promise<void> {
  await deps.clock.refresh()
  if (!deps.clock.movingTo()) return
  // New requests wait at the gate. The walk waits for the requests in progress.
  if (await hasOtherServers(deps.pool, server))
    await sleep(TRUSTED_MS + REQUESTS_MS, undefined, { signal: stopping }).catch(() => undefined)
  await deps.dates.idle(OWN_REQUESTS_MS)
  const lateIds = new Set<string>()
  const { standsAt } = await readDate(deps.db)
  // If a server was killed at this stop, the work of the stop may be unfinished. So the walk begins with that work.
  let stop: Stop | null = standsAt && { at: standsAt, isOfDay: true, isLast: false, aheadMs: 0 }
  while (stop) {
    try {
      await workAt(deps, stop, { jobs, late: lateIds, stopping })
      // The new job continues the walk: in another server, or in this server after its next start.
      if (stopping?.aborted) return await beginWalk(deps.db)
      stop = await continueWalk(deps, stop)
      await deps.clock.refresh()
    } catch (error) {
      if (stopping?.aborted) throw error
      // The walk tries again itself, after a short pause. A failed job would be retried after growing pauses, and the bank
      // would wait meanwhile.
      deps.log.error({ err: error }, 'the date cannot move on')
      await sleep(TROUBLE_MS)
    }
  }
}

/** Does the work that is due at a stop. */
async function workAt(deps: Deps, stop: Stop, finishing: Finishing): Promise<void> {
  await finishJobs(deps, finishing)
  if (!stop.isOfDay || finishing.stopping?.aborted) return
  await sweep(deps, finishing.jobs)
  await finishJobs(deps, finishing)
}

/** Moves the date to its next stop. After the last stop, lets the date run with real time again and returns null. */
async function continueWalk({ db, clock }: WalkDeps, before: Stop): Promise<Stop | null> {
  return inTransaction(db, async (trx) => {
    const { aheadMs, standsAt } = await readDate(trx, { lock: true })
    // Another server has moved the date on, so this walk ends.
    if (standsAt?.getTime() !== before.at.getTime()) return null
    // If the lead has changed since the stop was chosen, the date has a new destination and moves on.
    if (before.isLast && before.aheadMs === aheadMs) {
      await trx.updateTable('bank.clock_move').set({ stands_at: null, arrived_at: clock.realNow() }).execute()
      await restoreHiddenJobs(trx, aheadMs)
      return null
    }
    const targetMs = Math.max(clock.realNow().getTime() + aheadMs, standsAt.getTime())
    const dayMs = nextStopOfDay(standsAt)
    const nextDueAt = await nextDue(trx)
    const jobMs = nextDueAt ? nextDueAt.getTime() + TOGETHER_MS : Infinity
    const stopMs = Math.min(dayMs, jobMs, targetMs)
    await trx
      .updateTable('bank.clock_move')
      .set({ stands_at: new Date(stopMs) })
      .execute()
    await releaseDueJobs(trx, new Date(stopMs))
    return {
      at: new Date(stopMs),
      isOfDay: stopMs === dayMs || stopMs === targetMs,
      isLast: stopMs === targetMs,
      aheadMs,
    }
  })
}

/** Returns the next stop of a day after `moment`, in milliseconds since the epoch. */
export function nextStopOfDay(moment: Date): number {
  const today = toBankZone(moment).startOfDay()
  // If a clock change skips midnight, the day begins later.
  const tomorrow = today.add({ days: 1 }).startOfDay()
  const stops = [today.add(WORK_IS_DUE), tomorrow.subtract({ seconds: 1 }), tomorrow.add(WORK_IS_DUE)]
  const next = stops.find((stop) => stop.epochMilliseconds > moment.getTime())
  if (!next) throw new Error(`No stop after ${moment.toISOString()}`)
  return next.epochMilliseconds
}

type Finishing = {
  jobs: readonly RunnableJob[]
  /** The jobs that the walk no longer waits for, at any stop. */
  late: Set<string>
  stopping: AbortSignal | undefined
}

/**
 * Waits until all jobs that can begin are done, by any server. Retries the failed jobs now, because a later retry would be
 * recorded on a later day. Does not wait for jobs with separate workers (`apart` in job.ts) or for jobs that a restored bank
 * holds back.
 */
async function finishJobs(
  deps: WalkDeps & Pick<Deps, 'held'>,
  { jobs, late: lateIds, stopping }: Finishing,
): Promise<void> {
  const { db, log } = deps
  const names = jobs.filter((job) => !job.apart && !isHeldBack(deps, job)).map(({ name }) => name)
  const isExpected = (id: string) => !lateIds.has(id)
  const until = performance.now() + PATIENCE_MS
  for (let tries = 1; !stopping?.aborted;) {
    const waitingIds = (await readyJobs(db, names)).filter(isExpected)
    const failedIds = waitingIds.length > 0 ? [] : (await retriedJobs(db, names)).filter(isExpected)
    if (waitingIds.length + failedIds.length === 0) return
    if (performance.now() > until || (failedIds.length > 0 && tries === TRIES)) {
      for (const id of [...waitingIds, ...failedIds]) lateIds.add(id)
      return log.warn({ part: 'jobs' }, 'the date moves on before a job is done')
    }
    if (failedIds.length > 0) {
      await sleep(REST_MS * tries)
      await retryNow(db, failedIds)
      tries += 1
    } else await sleep(LOOK_MS)
  }
}

/** Runs the jobs that depend on the date alone, in the order of the slices. Retries failed ones at this stop. */
async function sweep(deps: Deps, jobs: readonly RunnableJob[]): Promise<void> {
  for (const job of jobs.filter((each) => each.byDate && !isHeldBack(deps, each))) {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      try {
        await job.run(deps, {})
        break
      } catch (error) {
        deps.log.error({ err: error, job: job.name, tries }, 'a day has work left')
        if (tries < TRIES) await sleep(REST_MS * tries)
      }
    }
  }
}
