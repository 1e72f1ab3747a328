import type { WorkerEvents } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isHeldBack } from '#server/platform/restore-hold.ts'
import { recordDue, recordIdle, recordSuccess, ROUND } from '#server/platform/jobs/health.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

/**
 * Rounds of the recurring jobs. Each minute, the first server to claim the round enqueues the jobs whose turn it is and that
 * have work to do. Enqueuing, beginning and ending a job takes a dozen statements, and in most minutes most jobs have no work.
 */

const MINUTE_MS = 60_000

/** Returns whether a job's turn came after `last` and not after `now`. */
function isInTurn({ everyMinutes }: RunnableJob, last: Date, now: Date): boolean {
  const turns = (time: Date) => Math.floor(time.getTime() / (Number(everyMinutes) * MINUTE_MS))
  return turns(now) > turns(last)
}

/** Makes this minute's round, unless another server has made it. The round also covers the rounds that were missed before. */
export async function makeRound(deps: Deps, jobs: readonly RunnableJob[]): Promise<void> {
  // Another server may have moved the date, which makes more jobs due.
  await deps.clock.refresh()
  try {
    await tryRound(deps, jobs, (job, then) => job.isDue?.(then) ?? true)
  } catch (error) {
    deps.log.error({ err: error }, 'jobs: the check for due jobs failed, so all jobs run')
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
    const turn = jobs.filter((job) => isInTurn(job, last, now) && !isHeldBack(deps, job))
    const dueJobs: RunnableJob[] = []
    for (const job of turn) {
      if (!(await isDue(job, { ...deps, db: trx }))) continue
      await enqueueRun(trx, job)
      dueJobs.push(job)
    }
    await recordDue(trx, dueJobs, now)
    await recordIdle(
      trx,
      turn.filter((job) => !dueJobs.includes(job)),
    )
    await recordSuccess(trx, ROUND, now)
  })
}

/**
 * Claims the round of this minute. Returns the time of the last round, or null if this minute's round has been made already.
 * Other servers wait until `trx` ends.
 */
async function claimRound(trx: Kysely<Database>, now: Date): Promise<Date | null> {
  const minute = new Date(now.getTime() - (now.getTime() % MINUTE_MS))
  // If the clock of the server that made the last round was ahead, that round is in the future. It counts as made one second
  // before this minute. Otherwise no server would make a round until that future time.
  const { rows } = await sql<{ last: Date }>`
    SELECT least(coalesce(succeeded_at, expected_since), ${minute}::timestamptz - interval '1 second') AS last FROM bank.job_run
     WHERE name = ${ROUND.name} AND (coalesce(succeeded_at, expected_since) < ${minute}::timestamptz
           OR coalesce(succeeded_at, expected_since) >= ${minute}::timestamptz + interval '2 minutes') FOR UPDATE`.execute(
    trx,
  )
  return rows[0]?.last ?? null
}

/**
 * Enqueues a run. At most one run of a job waits, however long the workers were away. A failed run is followed by the job's
 * next turn.
 */
const enqueueRun = (trx: Kysely<Database>, { name }: RunnableJob): Promise<void> =>
  enqueue(trx, { name, payload: z.unknown(), maxAttempts: 1 }, {}, { key: name })

type Rounds = {
  /** Makes rounds from the start of the workers to their stop. `events`: the events of these workers. */
  follow(events: WorkerEvents): void
  /** Delays rounds until `work` is done. */
  holdFor(work: Promise<unknown>): void
}

/** Makes a round at the beginning of each minute. */
export function openRounds(deps: Deps, jobs: readonly RunnableJob[]): Rounds {
  let heldWork: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const now = deps.clock.realNow().getTime()
    const next = now - (now % MINUTE_MS) + MINUTE_MS
    timer = setTimeout(() => void round(next), next - now)
  }
  const round = async (plannedAt: number): Promise<void> => {
    wait()
    // If the timer is a minute late, this process was suspended. The work of the missed days comes first, and the next round
    // makes up for this one.
    if (deps.clock.realNow().getTime() - plannedAt >= MINUTE_MS) return
    await heldWork
    // The next round makes up for a failed one. The error is ignored here, because other code reports an unavailable database.
    await makeRound(deps, jobs).catch(() => undefined)
  }
  return {
    follow: (events) => {
      events.on('pool:create', wait)
      events.on('pool:gracefulShutdown', () => clearTimeout(timer))
    },
    holdFor: (work) => void (heldWork = work),
  }
}
