import type { Deps } from '#server/platform/deps.ts'
import { everyPage } from '#server/platform/db/pages.ts'
import { defineRecurringJob, type RecurringJob } from '#server/platform/jobs/job.ts'

type Sweep<Due extends { id: string }> = Pick<RecurringJob, 'name' | 'everyMinutes' | 'leaves'> & {
  /** Returns a page of due items, at most `PAGE_SIZE`, after a given one. The order must not change through `work`. */
  find(deps: Deps, after: Due | null): Promise<Due[]>
  work(deps: Deps, due: Due): Promise<unknown>
  /** The log message for a failed item. A failure does not stop the other items, and the next run finds the item again. */
  failed: string
}

/**
 * Defines a recurring job that does all work due by the business date, one item after another. It is for work without another
 * trigger, and for work that was lost.
 */
export const defineSweep = <Due extends { id: string }>({ find, work, failed, ...job }: Sweep<Due>) =>
  defineRecurringJob({
    ...job,
    byDate: true,
    isDue: async (deps) => (await find(deps, null)).length > 0,
    work: async (deps) => {
      const dueItems = everyPage(
        (after: Due | null) => find(deps, after),
        (due) => due,
      )
      for await (const dueItem of dueItems) {
        await work(deps, dueItem).catch((error: unknown) =>
          deps.log.error({ err: error, job: job.name, id: dueItem.id }, failed),
        )
      }
    },
  })
