import type pg from 'pg'
import { LOCKS_OF, SERVES_LEVEL } from '#server/platform/db/compatibility.ts'
import { ownLevel } from '#server/platform/db/migration-files.ts'
import type { Run } from '#server/platform/db/run.ts'
import { keyedDigest, type Secret } from '#server/platform/secrets/derived-key.ts'

/** The lock that a worker holds as long as it lives: PostgreSQL takes it back with its connection. */
export const presenceLock = (worker: string): string => `hashtextextended('job worker ' || ${worker}, 0)`

/** What each server holds a shared lock of as long as its workers live, with a number of its own: 'serve' in ASCII, cut to 32 bits. */
const SERVES = 0x73657276

/** Whether another server than this one serves the bank. */
export async function othersServe(pool: pg.Pool, server: number): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE number <> $2) AS found`,
    [SERVES, server],
  )
  return rows[0]?.found ?? false
}

/** Whether a server below a level serves the bank. One that does not say its level is of before it was said. */
export async function olderServes(run: Run, level: number): Promise<boolean> {
  const { rows } = await run(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE pid NOT IN (
       SELECT pid FROM (${LOCKS_OF.replace('$1', '$2')}) AS known WHERE number >= $3)) AS found`,
    [SERVES, SERVES_LEVEL, level],
  )
  return rows[0]?.['found'] === true
}

/** Locks with what tells the secret that a server makes things with from others, and gives nothing of it away. 'secr' in ASCII. */
const HAS_SECRET = 0x73656372
const markOf = ({ secret }: Secret): number => keyedDigest({ secret }, 'mark of the secret', '').readUInt32BE() >>> 1

/** Whether a server serves the bank that makes things with another secret, or does not say with which. */
export async function othersSecretServes(run: Run, secret: Secret): Promise<boolean> {
  const { rows } = await run(
    `SELECT EXISTS (SELECT FROM (${LOCKS_OF}) AS serving WHERE pid NOT IN (
       SELECT pid FROM (${LOCKS_OF.replace('$1', '$2')}) AS known WHERE number = $3)) AS found`,
    [SERVES, HAS_SECRET, markOf(secret)],
  )
  return rows[0]?.['found'] === true
}

/**
 * Shows other servers that a worker lives, and the server that it belongs to, until `leave` is called. `onLost` is called where its connection is cut off:
 * it counts as dead then, and may not go on under its name.
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
