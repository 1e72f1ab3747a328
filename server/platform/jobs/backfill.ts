import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { levelText } from '#server/platform/db/migration-files.ts'
import { inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob, type RecurringJob, type RunnableJob } from '#server/platform/jobs/job.ts'
import { hasOlderServer } from '#server/platform/jobs/presence.ts'

/**
 * Work on existing rows that takes too long for a migration, or that must wait until no older server runs. It is done in
 * batches. Each batch has its own SQL transaction, which also records the progress. Only one batch of all the bank's backfills
 * runs at a time. If the process of a backfill ends, another process continues it. A backfill becomes due when a migration
 * inserts its row into bank.backfill and no older server runs that it must wait for.
 */
export type Backfill = {
  /** The name, which begins with the slice's name: 'insights.payee_months'. */
  name: string
  /**
   * Processes the next rows after a key, or the first rows if the key is null. Returns the last processed key and the number of
   * processed rows. Returns null if no rows are left. May be called again for the same rows.
   */
  batch(trx: Transaction<Database>, after: string | null): Promise<{ upTo: string; rows: number } | null>
}

/**
 * The time for which a backfill works in each minute, in milliseconds. In the remaining time, other jobs run and a server can
 * stop.
 */
const WORK_MS = 20_000
/** The key of the lock for one batch at a time: each backfill uses the whole disk and processor. 'fill' in ASCII. */
const ONE_AT_A_TIME = 0x66696c6c

/** Defines the recurring job that works on a backfill until it is done. */
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
      return row !== undefined && !(await hasOlderServer(runIn(db), row.kept_from))
    },
    work: async (deps) => {
      const until = performance.now() + WORK_MS
      while (performance.now() < until && (await doBatch(deps, backfill)));
    },
  })
}

/** Processes one batch. Returns whether there may be more work now. */
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
    // An older server may have started since the job became due.
    if (!row || (await hasOlderServer(runIn(trx), row.kept_from))) return false
    const batchResult = await batch(trx, row.after_key)
    await trx
      .updateTable('bank.backfill')
      .set(
        batchResult
          ? ({ eb }) => ({ after_key: batchResult.upTo, done_rows: eb('done_rows', '+', batchResult.rows) })
          : { done_at: sql<Date>`now()` },
      )
      .where('name', '=', name)
      .execute()
    return batchResult !== null
  })
}

/** Returns the unfinished backfills, for an operator. */
export async function openBackfills(run: Run): Promise<{ name: string; rows: number; waitsFor: string }[]> {
  const { rows } = await run(
    'SELECT name, kept_from, done_rows::int AS rows FROM bank.backfill WHERE done_at IS NULL ORDER BY name',
  )
  const backfills = rows as { name: string; kept_from: number; rows: number }[]
  return Promise.all(
    backfills.map(async ({ name, kept_from: level, rows: rowCount }) => ({
      name,
      rows: rowCount,
      waitsFor: (await hasOlderServer(run, level)) ? `; waits until no server older than ${levelText(level)} runs` : '',
    })),
  )
}
