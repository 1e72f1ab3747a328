import type pg from 'pg'
import { LOCKS_OF, SERVES_LEVEL } from '#server/platform/db/compatibility.ts'
import { ownLevel } from '#server/platform/db/migration-files.ts'
import type { Run } from '#server/platform/db/run.ts'
import { keyedDigest, type Secret } from '#server/platform/secrets/derived-key.ts'

/**
 * Returns SQL for the lock that a worker holds as long as it lives. PostgreSQL releases the lock with the worker's connection.
 */
export const presenceLock = (worker: string): string => `hashtextextended('job worker ' || ${worker}, 0)`

/**
 * The first number of the shared lock that each server holds as long as its workers live; the second is the server's own
 * number. 'serv' in ASCII.
 */
const SERVES = 0x73657276

/** Returns whether another server runs on the bank's database. */
export async function hasOtherServers(pool: pg.Pool, server: number): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE number <> $2) AS found`,
    [SERVES, server],
  )
  return rows[0]?.found ?? false
}

/** Returns whether a server below a level runs. A server without a level is of a version that did not announce levels. */
export async function hasOlderServer(run: Run, level: number): Promise<boolean> {
  const { rows } = await run(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE pid NOT IN (
       SELECT pid FROM (${LOCKS_OF.replace('$1', '$2')}) AS known WHERE number >= $3)) AS found`,
    [SERVES, SERVES_LEVEL, level],
  )
  return rows[0]?.['found'] === true
}

/**
 * The first number of the locks whose second number identifies the secret that a server seals with, without revealing it.
 * 'secr' in ASCII.
 */
const HAS_SECRET = 0x73656372
const markOf = ({ secret }: Secret): number => keyedDigest({ secret }, 'mark of the secret', '').readUInt32BE() >>> 1

/** Returns whether a server runs that seals with another secret, or does not announce its secret. */
export async function hasServerWithOtherSecret(run: Run, secret: Secret): Promise<boolean> {
  const { rows } = await run(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE pid NOT IN (
       SELECT pid FROM (${LOCKS_OF.replace('$1', '$2')}) AS known WHERE number = $3)) AS found`,
    [SERVES, HAS_SECRET, markOf(secret)],
  )
  return rows[0]?.['found'] === true
}

/**
 * Announces a living worker and its server to the other servers, until the returned function is called. Calls `onLost` if the
 * connection is lost: the worker then counts as dead, and must not continue under its name.
 */
export async function showPresence(
  pool: pg.Pool,
  { worker, server, secret }: { worker: string; server: number } & Secret,
  onLost: () => void,
): Promise<() => void> {
  const client = await pool.connect()
  try {
    await client.query(`SELECT pg_advisory_lock(${presenceLock('$1')})`, [worker])
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [SERVES, server])
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [SERVES_LEVEL, await ownLevel()])
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [HAS_SECRET, markOf({ secret })])
  } catch (error) {
    client.release(true)
    throw error
  }
  client.once('end', onLost)
  return () => {
    client.off('end', onLost)
    client.release(true)
  }
}
