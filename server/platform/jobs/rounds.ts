import type { WorkerEvents } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isParked } from '#server/platform/held.ts'
import { recordDue, recordIdle, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

/**
 * Each minute the server that is first makes a round: of the recurring jobs whose turn it is, it enqueues those that have
 * something to do. To enqueue, begin and end a job takes a dozen statements, and in most minutes most jobs find nothing.
 */

const MINUTE_MS = 60_000

/** Whether the turn of a job came after `last`, up to `now`. */
function isInTurn({ everyMinutes }: RunnableJob, last: Date, now: Date): boolean {
  const turns = (at: Date) => Math.floor(at.getTime() / (Number(everyMinutes) * MINUTE_MS))
  return turns(now) > turns(last)
}

/** Makes the round of this minute, and of those that were missed, unless a server has. */
export async function makeRound(deps: Deps, jobs: readonly RunnableJob[]): Promise<void> {
  // What another server has moved the date to is due.
  await deps.clock.refresh()
  try {
    await tryRound(deps, jobs, (job, then) => job.isDue?.(then) ?? true)
  } catch (error) {
    deps.log.error({ err: error }, 'jobs: it cannot be told which are due, so all are done')
    await tryRound(deps, jobs, () => true)
  }
}

async function tryRound(
  deps: Deps,
  jobs: readonly RunnableJob[],
  isDue: (job: RunnableJob, then: Deps) => Promise<boolean> | boolean,
): Promise<void> {
  const now = deps.clock.realNow()
  await inTransaction(deps.db, async (trx) => {
    const last = await claimRound(trx, now)
    if (!last) return
    const turn = jobs.filter((job) => isInTurn(job, last, now) && !isParked(deps, job))
    const due: RunnableJob[] = []
    for (const job of turn) {
      if (!(await isDue(job, { ...deps, db: trx }))) continue
      await enqueueRun(trx, job)
      due.push(job)
    }
    await recordDue(trx, due, now)
    await recordIdle(
      trx,
      turn.filter((job) => !due.includes(job)),
    )
    await recordSuccess(trx, ROUND, now)
  })
}

/** Answers when the last round was, and notes that there is one now; null where this minute's has been. Other servers wait for `trx`. */
async function claimRound(trx: Kysely<Database>, now: Date): Promise<Date | null> {
  const minute = new Date(now.getTime() - (now.getTime() % MINUTE_MS))
  // One that a server made whose clock was ahead counts as if it had been made now, or there would be none until then.
  const { rows } = await sql<{ last: Date }>`
    SELECT least(coalesce(succeeded_at, expected_since), ${minute}::timestamptz - interval '1 second') AS last FROM bank.job_run
     WHERE name = ${ROUND.name} AND (coalesce(succeeded_at, expected_since) < ${minute}::timestamptz
           OR coalesce(succeeded_at, expected_since) >= ${minute}::timestamptz + interval '2 minutes') FOR UPDATE`.execute(
    trx,
  )
  return rows[0]?.last ?? null
}

/** One run waits at most, however long the workers were away. One that fails waits for the job's next turn. */
const enqueueRun = (trx: Kysely<Database>, { name }: RunnableJob): Promise<void> =>
  enqueue(trx, { name, payload: z.unknown(), maxAttempts: 1 }, {}, { key: name })

type Rounds = {
  /** Makes rounds while the workers work whose events these are. */
  follow(events: WorkerEvents): void
  /** Makes no round until `work` is done. */
  holdFor(work: Promise<unknown>): void
}

/** Makes a round at the beginning of each minute. */
export function openRounds(deps: Deps, jobs: readonly RunnableJob[]): Rounds {
  let held: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const now = deps.clock.realNow().getTime()
    const next = now - (now % MINUTE_MS) + MINUTE_MS
    timer = setTimeout(() => void round(next), next - now)
  }
  const round = async (planned: number): Promise<void> => {
    wait()
    // This process was stopped. The days that it missed come first, and the next round makes up for this one.
    if (deps.clock.realNow().getTime() - planned >= MINUTE_MS) return
    await held
    // So it does where this one fails. That the database is away is said elsewhere.
    await makeRound(deps, jobs).catch(() => undefined)
  }
  return {
    follow: (events) => {
      events.on('pool:create', wait)
      events.on('pool:gracefulShutdown', () => clearTimeout(timer))
    },
    holdFor: (work) => void (held = work),
  }
}
