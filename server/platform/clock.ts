import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { instantOf } from '#server/platform/time-zone.ts'

export type Clock = {
  /** The bank's date and time: what the ledger records. */
  businessNow(): Date
  /** The world's date and time: what rules sessions and codes. */
  realNow(): Date
  /**
   * Where the business date is going day by day (jobs/date-walk.ts), while it stands at each day's work; null where it goes on
   * with the world's time. As last read.
   */
  movingTo(): Date | null
  /** How long ago `refresh` last asked the database, in milliseconds. */
  readAgoMs(): number
  /** Reads how far apart the two are again; another server may have moved the business date. */
  refresh(): Promise<void>
  /**
   * Puts the business date forward at once, for every server on this database (jobs/date-walk.ts moves it day by day). Throws
   * RangeError in a bank that keeps real time. `within` does it inside the caller's SQL transaction: the caller refreshes the
   * clock once that has committed.
   */
  advance(ms: number, within?: Transaction<Database>): Promise<void>
}

/** How the business date follows from the world's. */
export type BusinessDate = {
  /** How far it is ahead of the world's date, in milliseconds. While it moves: how far ahead it will be on arrival. */
  aheadMs: number
  /** The moment at which it stands while a day's work is done; null if it does not move. */
  standsAt: Date | null
}

/** Reads how the business date follows from the world's; `lock` keeps others from moving it until the SQL transaction ends. */
export async function readDate(db: Kysely<Database>, { lock = false } = {}): Promise<BusinessDate> {
  const { rows } = await sql<{ ahead_ms: number; stands_at: Date | null }>`
    SELECT (coalesce(extract(epoch FROM business_epoch - real_epoch), 0) * 1000 + moved_ms)::float8 AS ahead_ms, stands_at
      FROM bank.clock_move LEFT JOIN bank.clock ON true
      ${lock ? sql`FOR UPDATE OF clock_move` : sql``}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database has no clock')
  return { aheadMs: row.ahead_ms, standsAt: row.stands_at }
}

/** The world's date and time, where there is no bank whose clock tells it. */
export const realNow = (): Date => new Date()

type ClockOptions = { db: Kysely<Database>; policy: { businessBegins: string | null }; realNow?: () => Date }

/** The clock of this database; a database used for the first time begins when the policy says. */
export async function openClock({ db, policy, realNow: now = realNow }: ClockOptions): Promise<Clock> {
  let date: BusinessDate = { aheadMs: 0, standsAt: null }
  let readAt = 0
  const refresh = async (): Promise<void> => {
    const askedAt = performance.now()
    const read = await readDate(db)
    // An answer that comes late is older than what is known.
    if (askedAt < readAt) return
    date = read
    readAt = askedAt
  }
  if (policy.businessBegins) {
    await db
      .insertInto('bank.clock')
      .values({ real_epoch: now(), business_epoch: instantOf(policy.businessBegins) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await refresh()
  const running = () => new Date(now().getTime() + date.aheadMs)
  return {
    realNow: now,
    businessNow: () => (date.standsAt ? new Date(date.standsAt) : running()),
    movingTo: () => (date.standsAt ? running() : null),
    readAgoMs: () => performance.now() - readAt,
    refresh,
    advance: async (ms, within) => {
      if (!policy.businessBegins || !Number.isSafeInteger(ms) || ms < 0) {
        throw new RangeError(`The business clock cannot be put forward by ${ms} ms`)
      }
      await (within ?? db)
        .updateTable('bank.clock_move')
        .set(({ eb }) => ({ moved_ms: eb('moved_ms', '+', ms) }))
        .execute()
      if (!within) await refresh()
    },
  }
}
