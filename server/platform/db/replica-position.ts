import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/** What a standby has to have, and be, to answer instead of the primary. */
export type Position = {
  /** Up to where the log has to be replayed: all that anybody was told is done is before it. */
  lsn: string
  /** Which cluster, which of its histories, and which of its databases. */
  system: string
  timeline: number
  database: number
}

/**
 * A commit is visible, and acknowledged, once it is flushed; only where commits do not wait for that may one be further on than
 * what is flushed. Then what others have begun and not committed is waited for too, which is sent later.
 */
const POSITION = `
  SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
         ELSE pg_current_wal_flush_lsn() END::text AS lsn,
         left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
         (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database`

/** Where the primary is. Throws where `db` leads to none. */
export async function positionOf(db: Kysely<Database>): Promise<Position> {
  const { rows } = await db.executeQuery<Position & { timeline: string }>(CompiledQuery.raw(POSITION))
  const [row] = rows
  if (!row) throw new Error('PostgreSQL does not say where it is')
  return { ...row, timeline: Number.parseInt(row.timeline, 16) }
}

/**
 * What a standby says of itself; $1 is the primary's place in the log. The timeline is the one of the last page that it wrote: of all
 * that a role without rights can read it is what is never ahead. So after a failover it takes until a standby's next checkpoint,
 * or until it wrote a page, before it answers again.
 */
export const STANDING = `
  SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isRecent",
         greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::int8 AS "behindBytes",
         (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT min_recovery_end_timeline FROM pg_control_recovery()) AS timeline,
         (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database,
         concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) AS server`

export type Standing = {
  isStandby: boolean
  /** null, as the next, where it has never been a standby. */
  isRecent: boolean | null
  behindBytes: number | null
  system: string
  timeline: number
  database: number
  /** Tells one run of one server from every other. */
  server: string
}

/** Whether it is a standby of this very database, whatever it has replayed. */
export const isOurs = (standing: Standing, { system, timeline, database }: Position): boolean =>
  standing.isStandby && standing.system === system && standing.timeline === timeline && standing.database === database
