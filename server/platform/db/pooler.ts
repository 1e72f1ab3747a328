import type { Client } from 'pg'
import { connectOnce } from '#server/platform/db/connect.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const POOLED =
  'DATABASE_URL names a pooler that gives each transaction another connection: have it pool sessions (in PgBouncer: ' +
  'pool_mode = session), because prepared statements, settings and LISTEN belong to one.'

/**
 * Detects a pooler that shares server processes between transactions. Such a pooler passes a free process to the next client; a
 * pooler of sessions does not. Throws StartError if two clients get the same process in turn, or if one client gets two.
 */
export async function refusePooledTransactions(url: string): Promise<void> {
  const [first, second] = [await connectOnce(url), await connectOnce(url)]
  const processOf = async (client: Client): Promise<unknown> =>
    (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  try {
    const before = await processOf(first)
    await second.query('BEGIN')
    const secondProcess = await processOf(second)
    const after = await processOf(first)
    await second.query('COMMIT')
    if (secondProcess === before || after !== before) throw new StartError(POOLED)
  } finally {
    await Promise.all([first.end(), second.end()])
  }
}
