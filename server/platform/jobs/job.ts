import type { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import type { Leaving } from '#server/platform/held.ts'

/** Something done in the background, enqueued with its cause (queue.ts). It may run more than once: a job that throws, or whose server dies, is tried again. */
export type Job<Payload> = {
  /** Begins with its slice's name: 'payments.expire_claim'. Waiting jobs are stored under it, so it never changes. */
  name: string
  payload: z.ZodType<Payload>
  /** After so many failures it has failed for good, and `npm run jobs` lists it. 25 unless told: some three days. */
  maxAttempts?: number
  /** Waits for servers that anybody may have chosen. It has workers of its own, so that no other job waits for those. */
  apart?: boolean
  /** What it tells somebody outside: a restored bank does not do it until its operator releases that. */
  leaves?: Leaving
  /** `stopping` is aborted where the server is about to stop: what takes long then ends. */
  work(deps: Deps, payload: Payload, stopping?: AbortSignal): Promise<void>
}

/** Something done again and again by one of the servers. A run that fails waits for the next one. */
export type RecurringJob = {
  name: string
  /** Minutes of real time from one run to the next; they divide an hour. */
  everyMinutes: number
  /** Does what is due on a business date, so that each day has its own run where the date moves (date-walk.ts). */
  byDate?: boolean
  /** As of other jobs. */
  leaves?: Leaving
  /** Whether there is something to do, as far as `deps.db` says. It only reads. Where it is left out, each turn is a run (rounds.ts). */
  isDue?(deps: Deps): Promise<boolean>
  work(deps: Deps): Promise<void>
}

/** A job as the worker runs it, whatever its payload. */
export type RunnableJob = {
  name: string
  everyMinutes: number | null
  apart?: boolean
  byDate?: boolean
  leaves?: Leaving
  isDue?(deps: Deps): Promise<boolean>
  run(deps: Deps, payload: unknown, stopping?: AbortSignal): Promise<void>
}

export function defineJob<Payload>(job: Job<Payload>): Job<Payload> & RunnableJob {
  // Stored by an earlier version perhaps, so it is read like any other input.
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
