import pg from 'pg'
import { type HostWatch, hostWatch } from '#server/platform/db/host-watch.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { isStaleStatement, NamingClient } from '#server/platform/db/named-statements.ts'

/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006'

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082

/** bigint and sums of bigint come back as exact JavaScript integers, or not at all. */
function exactInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not an exact integer`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return exactInteger
    // A calendar day stays one: the driver would make it an instant in the time zone of this computer.
    if (oid === DATE) return (day: string) => day
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

export type PoolOptions = {
  max?: number
  /** Sends the next statement before the last is answered. Only for code that never leaves a transaction open on failure. */
  pipeline?: boolean
  name?: string
  /** How long a statement waits for a lock; 5 s unless told. */
  lockTimeoutMs?: number
  /** How long a statement may take; 15 s unless told, null for no limit. */
  statementTimeoutMs?: number | null
  /** How long to wait for a connection; 4 s unless told. */
  connectTimeoutMs?: number
  /** Refuses to write, whatever it is connected to. */
  readOnly?: boolean
  /** What watches the host of several pools; a watch of its own unless told. */
  host?: HostWatch
  /** Who counts its connections, and how long one is waited for. */
  measures?: Measures
}

const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 4_000
/** How much later than the server we give a statement up ourselves. */
const LATER_MS = 1_000

/**
 * Every statement here looks up rows by a key that has an index, and keeps the plan that was made for it.
 * Made in a new bank, whose tables are empty, that plan would be to read them whole, and it would be kept while they
 * grow. So plans are made once, for any value, and through the index;
 * and without helpers, who take longer to come than such a look-up takes. Nor are they compiled, which PostgreSQL does by itself where
 * a plan is dear: one that has to read a small table whole is, since `enable_seqscan` is off, and compiling takes it up to a second.
 */
const PLANNING =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET max_parallel_workers_per_gather = 0; SET jit = off'
/** A day as a text is YYYY-MM-DD, and has 24 hours where intervals are added, whatever the server is set to. */
const DAYS = "SET datestyle = 'ISO'; SET timezone = 'UTC'"
const IDLE_IN_TRANSACTION_MS = 15_000

/**
 * Connections to PostgreSQL that never wait for ever: 4 s to connect, 5 s for a lock, 15 s for a statement, 15 s idle
 * inside a transaction; and 4 s for a host that has vanished, which can keep none of these promises.
 */
export function openPool(url: string, options: PoolOptions = {}): pg.Pool {
  const { max = 10, name = 'alder', lockTimeoutMs = 5_000, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, readOnly = false } = options
  const host = options.host ?? watchFor(statementTimeoutMs)
  const limits = {
    lock_timeout: lockTimeoutMs,
    statement_timeout: statementTimeoutMs ?? 0,
    ...(readOnly ? { default_transaction_read_only: 'on' } : {}),
  }
  const pool = new pg.Pool({
    Client: NamingClient,
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types,
    // It is waited for, though its type does not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => settle(client, limits, connectTimeoutMs),
    stream: host.stream,
    ...(options.pipeline ? { pipeline: true } : {}),
  })
  host.watch(pool)
  surviveLostConnections(pool)
  if (options.measures?.isOn) measurePool(pool, name, options.measures)
  return pool
}

/** All that asks the pool for a connection does it here, `pool.query` too. */
export function measurePool(pool: pg.Pool, named: string, measures: Measures): void {
  const labels = { pool: named.replace(/^alder[ -]/, '') }
  measures.watch('alder_pool_connections', () => [
    { labels: { ...labels, state: 'idle' }, value: pool.idleCount },
    { labels: { ...labels, state: 'used' }, value: pool.totalCount - pool.idleCount },
  ])
  measures.watch('alder_pool_waiting', () => [{ labels, value: pool.waitingCount }])
  const connect = pool.connect.bind(pool)
  type Told = Parameters<Parameters<typeof connect>[0]>
  const measured = (tell?: (...told: Told) => void) => {
    const askedAt = performance.now()
    const note = () => measures.observe('alder_pool_wait_seconds', labels, (performance.now() - askedAt) / 1_000)
    if (!tell) return connect().finally(note)
    return connect((...told) => {
      note()
      tell(...told)
    })
  }
  pool.connect = measured as typeof pool.connect
}

const EXPIRED = 'Query read timeout'

/**
 * Says on a new connection what its statements may take, and how they are planned, before any of them. Not while connecting: a
 * pooler in between refuses such settings, or drops them without a word (decision 430). Without them no connection is used.
 */
async function settle(client: pg.ClientBase, limits: Record<string, number | string>, withinMs: number): Promise<void> {
  const all = { ...limits, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }
  const sets = Object.entries(all).map(([name, value]) => `SET ${name} = ${value}`)
  const statement = { text: [...sets, PLANNING, DAYS].join('; '), query_timeout: withinMs }
  try {
    await client.query(statement)
  } catch (error) {
    if (!(error instanceof Error && error.message === EXPIRED)) throw error
    throw new Error('timeout exceeded when trying to connect', { cause: error })
  }
}

/** A watch of a host whose statements may take so long, in milliseconds; 15 s unless told, null for no limit. */
export function watchFor(statementTimeoutMs: number | null = STATEMENT_TIMEOUT_MS): HostWatch {
  return hostWatch({ connectionSilenceMs: statementTimeoutMs === null ? null : statementTimeoutMs + LATER_MS })
}

/**
 * A connection that dies, idle or in use, is replaced at its next use; without listeners it would end the process. So is
 * one to a server that only reads: it was the primary before a failover, and says so for as long as it is asked. And so is
 * one whose prepared statements are older than a migration.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  const useless = new WeakSet<pg.PoolClient>()
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    client.connection.on('errorMessage', (error: pg.DatabaseError) => {
      if (error.code === READ_ONLY || isStaleStatement(error)) useless.add(client)
    })
  })
  // Before the pool looks at it: a client that is ending is not used again.
  pool.on('release', (_error, client) => {
    if (useless.has(client)) void client.end()
  })
}
