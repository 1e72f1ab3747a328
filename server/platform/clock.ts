import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { instantOf } from '#server/platform/time-zone.ts'

export type Clock = {
  /** Returns the bank's date and time, which the ledger records. */
  businessNow(): Date
  /** Returns the real date and time, which sessions and codes depend on. */
  realNow(): Date
  /**
   * Returns the destination of the business date while it moves day by day (jobs/date-walk.ts) and stops for each day's work.
   * Returns null if the business date runs with real time. The value is from the last `refresh`.
   */
  movingTo(): Date | null
  /** Returns the time since `refresh` last queried the database, in milliseconds. */
  readAgoMs(): number
  /** Reads the business date from the database again; another server may have moved it. */
  refresh(): Promise<void>
  /**
   * Moves the business date forward at once, for every server on this database (jobs/date-walk.ts moves it day by day). Throws
   * RangeError in a bank that keeps real time, and if `ms` is negative or not a whole number. With `within`, the move is part
   * of the caller's SQL transaction, and the caller refreshes the clock after the commit.
   */
  advance(ms: number, within?: Transaction<Database>): Promise<void>
}

/** The relation of the business date to real time. */
export type BusinessDate = {
  /**
   * The lead of the business date over real time, in milliseconds. While the date moves, this is the lead that it will have at
   * its destination.
   */
  aheadMs: number
  /** The business time at which a moving date has stopped for a day's work. Null if the date does not move. */
  standsAt: Date | null
}

/**
 * Reads the relation of the business date to real time. With `lock`, no other transaction can move the date until this SQL
 * transaction ends.
 */
export async function readDate(db: Kysely<Database>, { lock = false } = {}): Promise<BusinessDate> {
  const { rows } = await sql<{ ahead_ms: number; stands_at: Date | null }>`
    SELECT (coalesce(extract(epoch FROM business_epoch - real_epoch), 0) * 1000 + moved_ms)::float8 AS ahead_ms, stands_at
      FROM bank.clock_move LEFT JOIN bank.clock ON true
      ${lock ? sql`FOR UPDATE OF clock_move` : sql``}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database has no clock')
  return { aheadMs: row.ahead_ms, standsAt: row.stands_at }
}

/** Returns the real date and time, for code without a bank's clock. */
export const realNow = (): Date => new Date()

type ClockOptions = { db: Kysely<Database>; policy: { businessBegins: string | null }; realNow?: () => Date }

/** Opens the clock of this database. In a new database, the business date begins at the policy's `businessBegins`. */
export async function openClock({ db, policy, realNow: now = realNow }: ClockOptions): Promise<Clock> {
  let date: BusinessDate = { aheadMs: 0, standsAt: null }
  let readAt = 0
  const refresh = async (): Promise<void> => {
    const askedAt = performance.now()
    const bankDate = await readDate(db)
    // A query that began later has been answered already. Its answer is newer than this one.
    if (askedAt < readAt) return
    date = bankDate
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
