import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'

/** Rows that go in one statement, so that no lock is held for long. */
const CHUNK = 2_000

/** As long as browsers keep the cookie that names a visitor (RFC 6265bis, section 5.5), in milliseconds. */
const VISITOR_MS = KEPT_FOR['bank.visitor'].ms

type Old = { table: keyof Database; column: string; limit: Date | number }

/** Expired rows, by the column that says since when. */
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
  let gone = 0
  for (;;) {
    // Of no type: the tables have no column in common but their rows' addresses.
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid IN (
        SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(column)} <= ${limit}
         LIMIT ${sql.lit(CHUNK)} FOR UPDATE SKIP LOCKED)`.execute(db)
    const count = Number(numAffectedRows)
    gone += count
    if (count < CHUNK || performance.now() >= deadline) return gone
  }
}

/**
 * Removes what has expired: sessions, one-time tokens, codes, requests for another email, visitors that no browser
 * remembers, and counters of limits. It works in small steps, leaves alone what is in use at that
 * moment, and stops after `budgetMs`. Answers how many rows went.
 */
export async function purgeExpired(
  { db, clock, policy }: Pick<Deps, 'db' | 'clock' | 'policy'>,
  budgetMs = 20_000,
): Promise<number> {
  const deadline = performance.now() + budgetMs
  let gone = 0
  for (const old of oldRows(clock.realNow(), policy.idleMs)) gone += await clear({ db }, old, deadline)
  return gone
}

export const purgeJob = defineRecurringJob({
  name: 'identity.purge',
  everyMinutes: 10,
  work: async (deps) => void (await purgeExpired(deps)),
})
