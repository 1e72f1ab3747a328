import type { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { OutgoingKind } from '#server/platform/restore-hold.ts'

/**
 * A background job, enqueued in the transaction of its cause (queue.ts). It may run more than once: it is retried if it throws
 * or its server dies.
 */
export type Job<Payload> = {
  /**
   * The name, which begins with the slice's name: 'payments.expire_claim'. It never changes, because waiting jobs are stored
   * under it.
   */
  name: string
  payload: z.ZodType<Payload>
  /**
   * The number of failures after which the job has failed permanently, and `npm run jobs` lists it. The default is 25. That
   * many attempts take almost four days.
   */
  maxAttempts?: number
  /**
   * Whether the job waits for servers outside the bank that may be slow, such as those that customers have chosen. Such jobs
   * have separate workers, so that other jobs do not wait for these servers.
   */
  apart?: boolean
  /**
   * The kind of outgoing message that the job sends. A restored bank does not run the job until its operator releases that
   * kind.
   */
  leaves?: OutgoingKind
  /** `stopping` is aborted when the server is about to stop: long work must end then. */
  work(deps: Deps, payload: Payload, stopping?: AbortSignal): Promise<void>
}

/** A job that one of the servers repeats. A failed run is not retried; the next run comes at the next turn. */
export type RecurringJob = {
  name: string
  /** The interval between runs in minutes of real time; a divisor of 60. */
  everyMinutes: number
  /**
   * Whether the job does work that is due on a business date. While the date moves, such a job runs separately for each day
   * (date-walk.ts).
   */
  byDate?: boolean
  /** The same as in `Job`. */
  leaves?: OutgoingKind
  /**
   * Returns whether there is work to do. Must only read, and only through `deps.db`. A job without `isDue` runs at each turn
   * (recurring-rounds.ts).
   */
  isDue?(deps: Deps): Promise<boolean>
  work(deps: Deps): Promise<void>
}

/** A job in the form that workers run, with any payload. */
export type RunnableJob = {
  name: string
  everyMinutes: number | null
  apart?: boolean
  byDate?: boolean
  leaves?: OutgoingKind
  isDue?(deps: Deps): Promise<boolean>
  run(deps: Deps, payload: unknown, stopping?: AbortSignal): Promise<void>
}

/**
 * Returns a job in the form that workers run. Its slice lists it in `jobs`, and its cause enqueues it.
 *
 * @example
 * ```ts
 * export const expireOfferJob = defineJob({
 *   name: 'loans.expire_offer',
 *   payload: z.object({ applicationId: z.uuid() }),
 *   work: (deps: Deps, { applicationId }) => inTransaction(deps.db, (trx) => expire(deps, trx, applicationId)),
 * })
 *
 * await enqueue(trx, expireOfferJob, { applicationId }, { at: expiresAt, key: `loans.expire_offer:${applicationId}` })
 * ```
 */
export function defineJob<Payload>(job: Job<Payload>): Job<Payload> & RunnableJob {
  // The payload may be from an earlier version, so it is parsed like any other input.
  return {
    ...job,
    everyMinutes: null,
    run: (deps, payload, stopping) => job.work(deps, job.payload.parse(payload), stopping),
  }
}

export function defineRecurringJob(job: RecurringJob): RecurringJob & RunnableJob {
  if (60 % job.everyMinutes !== 0) throw new RangeError(`${job.name}: its minutes do not divide an hour`)
  return { ...job, run: (deps) => job.work(deps) }
}
