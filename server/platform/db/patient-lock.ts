import type pg from 'pg'
import { findBlocker } from '#server/platform/db/blocker.ts'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** The wait before the message, and the longest wait in total (docs/operations.md), in milliseconds. */
const QUIET_MS = 3_000
const PATIENCE_MS = 300_000

const LOCK_NOT_AVAILABLE = '55P03'

type LockRequest = {
  ownerUrl: string
  /** The key of the advisory lock, the same for all processes with the same task. */
  lock: number
  /** The name of the waiting task, for the beginning of a sentence: 'The preparation of the database'. */
  who: string
  /** Receives, once, a description of the connection that holds the lock. */
  report(sentence: string): void
  patienceMs?: number | undefined
}

/**
 * Takes an advisory lock for the lifetime of a connection. If another connection holds the lock, reports that connection after
 * a few seconds. Throws StartError if the lock is not free in time.
 */
export async function takeLockPatiently(client: pg.Client, waiting: LockRequest): Promise<void> {
  const { ownerUrl, lock, who: waiter, report, patienceMs = PATIENCE_MS } = waiting
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock])
  if (rows[0]?.taken) return
  const watch = await findBlocker(ownerUrl, client)
  const describeHolder = (): string => watch?.holder() ?? 'who holds it is not known'
  const timer = setTimeout(() => report(`${waiter} waits for its lock: ${describeHolder()}`), QUIET_MS)
  try {
    await client.query(`SET lock_timeout = ${patienceMs}`)
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await client.query('RESET lock_timeout')
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new StartError(
      `${waiter} did not get its lock within ${Math.round(patienceMs / 1000)} seconds, and nothing was done: ` +
        `${describeHolder()}.`,
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
    await watch?.stop()
  }
}
