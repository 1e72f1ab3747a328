import type pg from 'pg'
import { findBlocker } from '#server/platform/db/blocker.ts'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** How long somebody waits without a word, and how long in all (docs/operations.md), in milliseconds. */
const QUIET_MS = 3_000
const PATIENCE_MS = 300_000

const LOCK_NOT_AVAILABLE = '55P03'

type Waiting = {
  ownerUrl: string
  /** The number that all who do the same take. */
  lock: number
  /** Who waits, as a sentence begins with it. */
  who: string
  /** Told, once, who is in the way. */
  say(sentence: string): void
  patienceMs?: number | undefined
}

/**
 * Takes an advisory lock for as long as a connection lasts. Where another one has it, it says who after a few seconds. Throws
 * StartError where it does not get it in time.
 */
export async function takeLock(client: pg.Client, waiting: Waiting): Promise<void> {
  const { ownerUrl, lock, who, say, patienceMs = PATIENCE_MS } = waiting
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock])
  if (rows[0]?.taken) return
  const watch = await findBlocker(ownerUrl, client)
  const found = (): string => watch?.found() ?? 'who holds it is not known'
  const timer = setTimeout(() => say(`${who} waits for its lock: ${found()}`), QUIET_MS)
  try {
    await client.query(`SET lock_timeout = ${patienceMs}`)
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await client.query('RESET lock_timeout')
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new StartError(
      `${who} did not get its lock within ${Math.round(patienceMs / 1000)} seconds, and nothing was done: ${found()}.`,
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
    await watch?.stop()
  }
}
