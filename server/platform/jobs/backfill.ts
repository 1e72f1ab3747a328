import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { levelText } from '#server/platform/db/migration-files.ts'
import { inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob, type RecurringJob, type RunnableJob } from '#server/platform/jobs/job.ts'
import { olderServes } from '#server/platform/jobs/presence.ts'

/**
 * Work on the rows of before that would take too long in a migration, or that has to wait until no older server serves:
 * in batches, each in an SQL transaction of its own that also notes how far it has come, and one at a time in the whole
 * bank. It ends with its process and goes on elsewhere. A migration adds its row to bank.backfill, and with that it is due.
 */
export type Backfill = {
  /** Begins with its slice's name: 'insights.payee_months'. */
  name: string
  /**
   * Does the rows after a key, the first ones where that is null. Answers the last key that is done and how many rows
   * there were; null where none was left. The same rows may be done again.
   */
  batch(trx: Transaction<Database>, after: string | null): Promise<{ upTo: string; rows: number } | null>
}

/** How long it works in each minute, in milliseconds, so that other jobs have their turn and a server can stop. */
const WORK_MS = 20_000
/** Of all backfills one does a batch: each takes what disk and processor there are. 'fill' in ASCII. */
const ONE_AT_A_TIME = 0x66696c6c

/** The recurring job that does a backfill while there is something left of it. */
export function defineBackfill(backfill: Backfill): RecurringJob & RunnableJob {
  const { name } = backfill
  return defineRecurringJob({
    name,
    everyMinutes: 1,
    isDue: async ({ db }) => {
      const row = await db
        .selectFrom('bank.backfill')
        .select('kept_from')
        .where('name', '=', name)
        .where('done_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined && !(await olderServes(runIn(db), row.kept_from))
    },
    work: async (deps) => {
      const until = performance.now() + WORK_MS
      while (performance.now() < until && (await doBatch(deps, backfill)));
    },
  })
}

/** Answers whether there may be more to do now. */
function doBatch({ db }: Parameters<RecurringJob['work']>[0], { name, batch }: Backfill): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows: locked } = await sql<{ ours: boolean }>`
      SELECT pg_try_advisory_xact_lock(${ONE_AT_A_TIME}) AS ours`.execute(trx)
    if (!locked[0]?.ours) return false
    const row = await trx
      .selectFrom('bank.backfill')
      .select(['after_key', 'kept_from'])
      .where('name', '=', name)
      .where('done_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    // An older server may have come since it was due.
    if (!row || (await olderServes(runIn(trx), row.kept_from))) return false
    const done = await batch(trx, row.after_key)
    await trx
      .updateTable('bank.backfill')
      .set(
        done
          ? ({ eb }) => ({ after_key: done.upTo, done_rows: eb('done_rows', '+', done.rows) })
          : { done_at: sql<Date>`now()` },
      )
      .where('name', '=', name)
      .execute()
    return done !== null
  })
}

/** The backfills that are not done, for an operator. */
export async function openBackfills(run: Run): Promise<{ name: string; rows: number; waitsFor: string }[]> {
  const { rows } = await run(
    'SELECT name, kept_from, done_rows::int AS rows FROM bank.backfill WHERE done_at IS NULL ORDER BY name',
  )
  const open = rows as { name: string; kept_from: number; rows: number }[]
  return Promise.all(
    open.map(async ({ name, kept_from: level, rows: done }) => ({
      name,
      rows: done,
      waitsFor: (await olderServes(run, level)) ? `; waits until no server of before ${levelText(level)} runs` : '',
    })),
  )
}
