import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/** The position and the identity that a standby must have to answer instead of the primary. */
export type PrimaryPosition = {
  /** The position in the log up to which the standby must have replayed it. Every acknowledged commit is before it. */
  lsn: string
  /** The cluster; the next two fields are its timeline and the database. */
  system: string
  timeline: number
  database: number
}

/**
 * SQL for the primary's position and identity. A commit is visible and acknowledged once it is flushed, so the flush position
 * is enough. With `synchronous_commit` off, a commit may be ahead of it, so the insert position is used. That position also
 * includes uncommitted changes of other transactions, which reach the standby later.
 */
const POSITION = `
  SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
         ELSE pg_current_wal_flush_lsn() END::text AS lsn,
         left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
         (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database`

/** Returns the position of the primary. Throws if `db` is not connected to a primary. */
export async function readPrimaryPosition(db: Kysely<Database>): Promise<PrimaryPosition> {
  const { rows } = await db.executeQuery<PrimaryPosition & { timeline: string }>(CompiledQuery.raw(POSITION))
  const [row] = rows
  if (!row) throw new Error('PostgreSQL does not say where it is')
  return { ...row, timeline: Number.parseInt(row.timeline, 16) }
}

/**
 * SQL for the state of a standby; $1 is the primary's position in the log. The timeline is that of the last page that the
 * standby wrote: the only timeline that an unprivileged role can read and that is never ahead. After a failover, a standby
 * therefore answers again only after its next checkpoint or written page.
 */
export const STANDBY_STATE = `
  SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isRecent",
         greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::int8 AS "behindBytes",
         (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT min_recovery_end_timeline FROM pg_control_recovery()) AS timeline,
         (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database,
         concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) AS server`

export type StandbyState = {
  isStandby: boolean
  /** Null if the server has replayed no log since its start, as on most primaries. `behindBytes` is then 0. */
  isRecent: boolean | null
  behindBytes: number | null
  system: string
  timeline: number
  database: number
  /** Identifies one run of one server. */
  server: string
}

/** Returns whether a server is a standby of this database, however far it has replayed the log. */
export const isOwnStandby = (state: StandbyState, { system, timeline, database }: PrimaryPosition): boolean =>
  state.isStandby && state.system === system && state.timeline === timeline && state.database === database
