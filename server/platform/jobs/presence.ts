import type pg from 'pg'

/** The lock that a worker holds as long as it lives: PostgreSQL takes it back with its connection. */
export const presenceLock = (worker: string): string => `hashtextextended('job worker ' || ${worker}, 0)`

/** What each server holds a shared lock of as long as its workers live, with a number of its own: 'serve' in ASCII, cut to 32 bits. */
const SERVES = 0x73657276

/** Whether another server than this one serves the bank. */
export async function othersServe(pool: pg.Pool, server: number): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid <> $2 AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS found`,
    [SERVES, server],
  )
  return rows[0]?.found ?? false
}

/**
 * Shows other servers that a worker lives, and the server that it belongs to, until `leave` is called. `onLost` is called where its connection is cut off:
 * it counts as dead then, and may not go on under its name.
 */
export async function showPresence(
  pool: pg.Pool,
  { worker, server }: { worker: string; server: number },
  onLost: () => void,
): Promise<() => void> {
  const client = await pool.connect()
  try {
    await client.query(`SELECT pg_advisory_lock(${presenceLock('$1')})`, [worker])
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [SERVES, server])
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
