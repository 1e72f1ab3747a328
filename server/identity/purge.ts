import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'

/** The number of rows that one statement deletes. A small number keeps the locks short. */
const CHUNK = 2_000

/** The lifetime of the visitor cookie in browsers (RFC 6265bis, section 5.5), in milliseconds. */
const VISITOR_MS = KEPT_FOR['bank.visitor'].ms

type Old = { table: keyof Database; column: string; limit: Date | number }

/** Returns, for each table, the column that dates its rows and the value up to which rows have expired. */
function oldRows(now: Date, idleMs: number | null): Old[] {
  const idle: Old[] =
    idleMs === null ? [] : [{ table: 'bank.session', column: 'last_used_at', limit: new Date(now.getTime() - idleMs) }]
  return [
    { table: 'bank.session', column: 'expires_at', limit: now },
    ...idle,
    { table: 'bank.one_time_token', column: 'expires_at', limit: now },
    { table: 'bank.phone_code', column: 'expires_at', limit: now },
    { table: 'bank.email_change', column: 'expires_at', limit: now },
    { table: 'bank.visitor', column: 'created_at', limit: new Date(now.getTime() - VISITOR_MS) },
    { table: 'bank.rate_limit', column: 'expire', limit: now.getTime() },
  ]
}

async function clear({ db }: Pick<Deps, 'db'>, { table, column, limit }: Old, deadline: number): Promise<number> {
  let deletedRows = 0
  for (;;) {
    // The query is untyped because the tables share no column except `ctid`.
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid IN (
        SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(column)} <= ${limit}
         LIMIT ${sql.lit(CHUNK)} FOR UPDATE SKIP LOCKED)`.execute(db)
    const count = Number(numAffectedRows)
    deletedRows += count
    if (count < CHUNK || performance.now() >= deadline) return deletedRows
  }
}

/**
 * Deletes expired rows: sessions, one-time tokens, phone codes, email changes, visitors whose cookies have expired, and limit
 * counters. It works in small steps, skips locked rows, and stops after `budgetMs`. Returns the number of deleted rows.
 */
export async function purgeExpired(
  { db, clock, policy }: Pick<Deps, 'db' | 'clock' | 'policy'>,
  budgetMs = 20_000,
): Promise<number> {
  const deadline = performance.now() + budgetMs
  let deletedRows = 0
  for (const old of oldRows(clock.realNow(), policy.idleMs)) deletedRows += await clear({ db }, old, deadline)
  return deletedRows
}

export const purgeJob = defineRecurringJob({
  name: 'identity.purge',
  everyMinutes: 10,
  work: async (deps) => void (await purgeExpired(deps)),
})
