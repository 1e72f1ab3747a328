import type { Deps } from '#server/platform/deps.ts'
import { everyPage } from '#server/platform/db/pages.ts'
import { defineRecurringJob, type RecurringJob } from '#server/platform/jobs/job.ts'

type Sweep<Due extends { id: string }> = Pick<RecurringJob, 'name' | 'everyMinutes' | 'leaves'> & {
  /** A page of what is due, PAGE_SIZE at most, of what comes after one in an order that `work` does not change. */
  find(deps: Deps, after: Due | null): Promise<Due[]>
  work(deps: Deps, due: Due): Promise<unknown>
  /** What the log says of one that fails: it keeps no other, and the next run finds it again. */
  failed: string
}

/** Does all that is due by the date, one after the other, however much that is: what nothing else does, or what was lost. */
export const defineSweep = <Due extends { id: string }>({ find, work, failed, ...job }: Sweep<Due>) =>
  defineRecurringJob({
    ...job,
    byDate: true,
    isDue: async (deps) => (await find(deps, null)).length > 0,
    work: async (deps) => {
      const all = everyPage(
        (after: Due | null) => find(deps, after),
        (due) => due,
      )
      for await (const due of all) {
        await work(deps, due).catch((error: unknown) =>
          deps.log.error({ err: error, job: job.name, id: due.id }, failed),
        )
      }
    },
  })
