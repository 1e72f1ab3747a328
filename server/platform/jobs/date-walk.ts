import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { readDate } from '#server/platform/clock.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isParked } from '#server/platform/held.ts'
import { TRUSTED_MS } from '#server/platform/jobs/date-gate.ts'
import { defineJob, type RunnableJob } from '#server/platform/jobs/job.ts'
import {
  keepJobsApart,
  nextDue,
  readyJobs,
  releaseDueJobs,
  retriedJobs,
  retryNow,
  returnJobs,
} from '#server/platform/jobs/graphile.ts'
import { othersServe } from '#server/platform/jobs/presence.ts'
import { ROUND } from '#server/platform/jobs/health.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { zoned } from '#server/platform/time-zone.ts'

/**
 * The date moves day by day. Where it was put forward, or where the bank stood still for days, the business date stands
 * (`bank.clock_move.stands_at`) at one stop after the other until it has arrived; at each, whatever is due by then is done, and
 * nothing else (date-gate.ts). So the work of a day is recorded as of that day and before the next day's, and a month at once
 * gives the books that thirty days one by one give.
 */

/** Where the date stops on each day besides its last second: by then the work of a day is due. */
const WORK_IS_DUE = { hours: 1, minutes: 1 }
/** Jobs that are due within as much of each other share a stop, in milliseconds. */
const TOGETHER_MS = 60_000
/** A job that takes longer is not waited for: the date goes on. */
const PATIENCE_MS = 30_000
/** How often what fails at a stop is tried there, and how long it rests in between, in milliseconds; then the date goes on. */
const TRIES = 4
const REST_MS = 250
/** Before it moves, the date waits so long for requests that other servers have begun, whose end this one does not see. */
const REQUESTS_MS = 3_000
/** It waits at most so long for those that this server has begun: longer than a statement may take. */
const OWN_REQUESTS_MS = 16_000
/** How long a walk rests where the database fails it, in milliseconds. */
const TROUBLE_MS = 1_000
const LOOK_MS = 10
/** A bank whose servers have done nothing for so long stood still, in milliseconds. */
const OUTAGE_MS = 5 * 60_000

type WalkDeps = Pick<Deps, 'db' | 'clock' | 'log'>

const WALK = { name: 'platform.walk_date', payload: z.object({}) }

type Walkers = {
  /** All that the bank does in the background. */
  jobs: readonly RunnableJob[]
  /** Names this server among those that serve the bank. */
  server: number
}

/** Brings the date forward to where it is to be. */
export const walkJob = (walkers: Walkers) =>
  defineJob({ ...WALK, work: (deps: Deps, _, stopping) => walk(deps, walkers, stopping) })

/** Has the date come forward stop by stop to where it is to be. */
const beginWalk = (trx: Kysely<Database>) => enqueue(trx, WALK, {}, { key: WALK.name, queue: WALK.name })

/** Has the date stand at a moment of business time, and move on from there. Belongs where the date is locked and does not move. */
async function standAt(trx: Kysely<Database>, at: Date, aheadMs: number): Promise<void> {
  await trx.updateTable('bank.clock_move').set({ stands_at: at }).execute()
  // Of hundreds of thousands of jobs it takes longer than a statement otherwise may.
  await sql`SET LOCAL statement_timeout = '10min'`.execute(trx)
  await keepJobsApart(trx, aheadMs)
  await releaseDueJobs(trx, at)
  await beginWalk(trx)
}

/**
 * Has the date moved day by day once `trx` commits, by as many milliseconds as `lengthFrom` says of the date where it is or is
 * going to. Locks the clock until then. Answers where it goes.
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
  // Its job may have failed for good.
  else await beginWalk(trx)
  return new Date(target.getTime() + ms)
}

/** Resolves once the date is where it is to be, or after so many milliseconds. Answers whether it is. */
export async function caughtUp({ clock }: Pick<Deps, 'clock'>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  await clock.refresh()
  while (clock.movingTo() && performance.now() < until) {
    await sleep(LOOK_MS)
    await clock.refresh()
  }
  return !clock.movingTo()
}

/**
 * Where no server has worked since an earlier day, has the date stand where one last did, so that the days between are worked.
 * Belongs before the first job; where jobs have begun already, `before` is when, in the world's time.
 */
export async function resumeAfterOutage({ db, clock }: WalkDeps, before?: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { aheadMs, standsAt } = await readDate(trx, { lock: true })
    // Its job may have failed for good; where another server is at it, the one begun here finds nothing to do.
    if (standsAt) return beginWalk(trx)
    const seen = await lastSeen(trx, before ?? clock.realNow())
    if (seen === 'since') return
    const gapMs = seen ? clock.realNow().getTime() - seen.getTime() : 0
    const now = clock.realNow().getTime() + aheadMs
    if (gapMs < OUTAGE_MS || now - gapMs >= zoned(new Date(now)).startOfDay().epochMilliseconds) return
    await standAt(trx, new Date(now - gapMs), aheadMs)
  })
  await clock.refresh()
}

/**
 * When a server last worked before an instant, in the world's time; null where none has yet, 'since' where one has worked after
 * it. What a job's own row says is no proof of that: this server may have done it after it awoke. But it makes no round before
 * the days that it missed (rounds.ts).
 */
async function lastSeen(trx: Kysely<Database>, before: Date): Promise<Date | 'since' | null> {
  const { worked, since } = await trx
    .selectFrom('bank.job_run')
    .select(({ fn }) => [
      fn.max('succeeded_at').filterWhere('succeeded_at', '<=', before).as('worked'),
      fn.max('succeeded_at').filterWhere('name', '=', ROUND.name).filterWhere('succeeded_at', '>', before).as('since'),
    ])
    .executeTakeFirstOrThrow()
  if (since) return 'since'
  const { arrived_at: arrived } = await trx.selectFrom('bank.clock_move').select('arrived_at').executeTakeFirstOrThrow()
  return worked && arrived && arrived > worked ? arrived : worked
}

/** Where the date stands, and what that is: one at which the work of a day is done, and where it was going. */
type Stop = { at: Date; isOfDay: boolean; isLast: boolean; aheadMs: number }

async function walk(deps: Deps, { jobs, server }: Walkers, stopping: AbortSignal | undefined): Promise<void> {
  await deps.clock.refresh()
  if (!deps.clock.movingTo()) return
  // Who asks from now on waits; who asked before is waited for.
  if (await othersServe(deps.pool, server))
    await sleep(TRUSTED_MS + REQUESTS_MS, undefined, { signal: stopping }).catch(() => undefined)
  await deps.dates.idle(OWN_REQUESTS_MS)
  const late = new Set<string>()
  const { standsAt } = await readDate(deps.db)
  // A server that was killed at a stop has not done its work.
  let stop: Stop | null = standsAt && { at: standsAt, isOfDay: true, isLast: false, aheadMs: 0 }
  while (stop) {
    try {
      await workAt(deps, stop, { jobs, late, stopping })
      // Another server goes on, or this one when it starts again.
      if (stopping?.aborted) return await beginWalk(deps.db)
      stop = await goOn(deps, stop)
      await deps.clock.refresh()
    } catch (error) {
      if (stopping?.aborted) throw error
      // As a job it would be tried again ever more seldom, while the bank waits.
      deps.log.error({ err: error }, 'the date cannot go on')
      await sleep(TROUBLE_MS)
    }
  }
}

/** Does what is due at a stop. */
async function workAt(deps: Deps, stop: Stop, finishing: Finishing): Promise<void> {
  await finishJobs(deps, finishing)
  if (!stop.isOfDay || finishing.stopping?.aborted) return
  await sweep(deps, finishing.jobs)
  await finishJobs(deps, finishing)
}

/** Has the date go to its next stop or, after the last one, on with the world's time. Answers null where it has arrived. */
async function goOn({ db, clock }: WalkDeps, before: Stop): Promise<Stop | null> {
  return inTransaction(db, async (trx) => {
    const { aheadMs, standsAt } = await readDate(trx, { lock: true })
    // Another server has moved the date on from there, so this walk ends.
    if (standsAt?.getTime() !== before.at.getTime()) return null
    // Else it was moved further meanwhile.
    if (before.isLast && before.aheadMs === aheadMs) {
      await trx.updateTable('bank.clock_move').set({ stands_at: null, arrived_at: clock.realNow() }).execute()
      await returnJobs(trx, aheadMs)
      return null
    }
    const targetMs = Math.max(clock.realNow().getTime() + aheadMs, standsAt.getTime())
    const dayMs = nextStopOfDay(standsAt)
    const due = await nextDue(trx)
    const jobMs = due ? due.getTime() + TOGETHER_MS : Infinity
    const at = Math.min(dayMs, jobMs, targetMs)
    await trx
      .updateTable('bank.clock_move')
      .set({ stands_at: new Date(at) })
      .execute()
    await releaseDueJobs(trx, new Date(at))
    return { at: new Date(at), isOfDay: at === dayMs || at === targetMs, isLast: at === targetMs, aheadMs }
  })
}

/** The next stop of a day after `at`, in milliseconds of the epoch. */
export function nextStopOfDay(at: Date): number {
  const today = zoned(at).startOfDay()
  // Where the clocks skip midnight, a day begins later than the one before.
  const tomorrow = today.add({ days: 1 }).startOfDay()
  const stops = [today.add(WORK_IS_DUE), tomorrow.subtract({ seconds: 1 }), tomorrow.add(WORK_IS_DUE)]
  const next = stops.find((stop) => stop.epochMilliseconds > at.getTime())
  if (!next) throw new Error(`No stop after ${at.toISOString()}`)
  return next.epochMilliseconds
}

type Finishing = {
  jobs: readonly RunnableJob[]
  /** Those that were waited for or tried long enough, at whichever stop. */
  late: Set<string>
  stopping: AbortSignal | undefined
}

/**
 * Waits until all that could begin is done, here or by another server, and what failed has been tried again: later it would be
 * recorded as of a later day. What waits for other people's servers is not waited for.
 */
async function finishJobs(deps: WalkDeps & Pick<Deps, 'held'>, { jobs, late, stopping }: Finishing): Promise<void> {
  const { db, log } = deps
  const names = jobs.filter((job) => !job.apart && !isParked(deps, job)).map(({ name }) => name)
  const isExpected = (id: string) => !late.has(id)
  const until = performance.now() + PATIENCE_MS
  for (let tries = 1; !stopping?.aborted;) {
    const waiting = (await readyJobs(db, names)).filter(isExpected)
    const failed = waiting.length > 0 ? [] : (await retriedJobs(db, names)).filter(isExpected)
    if (waiting.length + failed.length === 0) return
    if (performance.now() > until || (failed.length > 0 && tries === TRIES)) {
      for (const id of [...waiting, ...failed]) late.add(id)
      return log.warn({ part: 'jobs' }, 'the date goes on before a job is done')
    }
    if (failed.length > 0) {
      await sleep(REST_MS * tries)
      await retryNow(db, failed)
      tries += 1
    } else await sleep(LOOK_MS)
  }
}

/** Does what is due by the date and not planned for a moment, in the order of the slices. What fails is tried again there. */
async function sweep(deps: Deps, jobs: readonly RunnableJob[]): Promise<void> {
  for (const job of jobs.filter((each) => each.byDate && !isParked(deps, each))) {
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
