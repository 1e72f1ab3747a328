import pg from 'pg'

/** The interval between two checks for the blocking connection, in milliseconds. */
const LOOK_MS = 200

/**
 * Watches, on a separate connection, which connection blocks `waitingClient`. `holder` returns a description of the blocking
 * connection for use in a sentence, with the SQL command that ends that connection. It returns null if no blocking connection
 * was seen. The description has more detail if the owner may read all of PostgreSQL's activity. Returns null if the separate
 * connection cannot be opened.
 */
export async function findBlocker(
  ownerUrl: string,
  waitingClient: pg.Client,
): Promise<{ holder(): string | null; stop(): Promise<void> } | null> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    const { rows } = await waitingClient.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await client.connect()
    let blocker: string | null = null
    const look = async () => (blocker = (await describeBlocker(client, rows[0]?.pid ?? 0)) ?? blocker)
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS)
    return {
      holder: () => blocker,
      stop: async () => {
        clearInterval(timer)
        await client.end().catch(() => undefined)
      },
    }
  } catch {
    await client.end().catch(() => undefined)
    return null
  }
}

type Blocker = { pid: number; program: string | null; role: string | null; state: string | null; since: Date | null }

async function describeBlocker(client: pg.Client, waitingPid: number): Promise<string | null> {
  const { rows } = await client.query<Blocker>(
    `SELECT pid, nullif(application_name, '') AS program, usename AS role, state, xact_start AS since
       FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY xact_start NULLS LAST LIMIT 1`,
    [waitingPid],
  )
  const [row] = rows
  if (!row) return null
  const { pid, program, role, state, since } = row
  const details = [program, role && `as ${role}`, state, since && `in a transaction since ${since.toISOString()}`]
  return (
    `the connection with the process ${pid} of PostgreSQL (${details.filter(Boolean).join(', ')}) holds it; to end that ` +
    `one, run: SELECT pg_terminate_backend(${pid});`
  )
}
