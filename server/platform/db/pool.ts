import pg from 'pg'
import { type HostWatch, hostWatch } from '#server/platform/db/host-watch.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import { isStaleStatement, NamingClient } from '#server/platform/db/named-statements.ts'

/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006'

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082

/** Returns a bigint, or a sum of bigints, as an exact JavaScript integer. Throws if it is too large. */
function exactInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not an exact integer`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return exactInteger
    // A date stays a text: the driver would turn it into an instant in this computer's time zone.
    if (oid === DATE) return (day: string) => day
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

export type PoolOptions = {
  max?: number
  /**
   * Whether a statement is sent before the previous one is answered. Only for code that never leaves a transaction open on
   * failure.
   */
  pipeline?: boolean
  name?: string
  /** The longest wait of a statement for a lock, in milliseconds; 5,000 by default. */
  lockTimeoutMs?: number
  /** The longest run of a statement, in milliseconds; 15,000 by default, null for no limit. */
  statementTimeoutMs?: number | null
  /** The longest wait for a connection, in milliseconds; 4,000 by default. */
  connectTimeoutMs?: number
  /** Whether every transaction is read-only, even on a primary. */
  readOnly?: boolean
  /** The watch of the host, shared by several pools; a separate watch by default. */
  host?: HostWatch
  /** The metrics that count the pool's connections and measure the waits for them. */
  measures?: Measures
}

const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 4_000
/** The time after PostgreSQL's own timeout at which this process gives a statement up, in milliseconds. */
const LATER_MS = 1_000

/**
 * The planner settings of a connection. Nearly every statement looks rows up by an indexed key, and PostgreSQL keeps its plan.
 *
 * - A plan made in a new bank with empty tables would read whole tables, and PostgreSQL would keep it while they grow. So plans
 *   are generic, made once for any value, and they use the index.
 * - Parallel workers are off: starting them takes longer than such a look-up.
 * - Compilation is off. PostgreSQL compiles expensive plans by itself. With `enable_seqscan` off, a plan that must read a
 *   small table whole counts as expensive, and compiling it takes up to a second.
 */
const PLANNING =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET max_parallel_workers_per_gather = 0; SET jit = off'
/** Independent of the server's settings, a date as text is YYYY-MM-DD, and a day has 24 hours when intervals are added. */
const DAYS = "SET datestyle = 'ISO'; SET timezone = 'UTC'"
const IDLE_IN_TRANSACTION_MS = 15_000

/**
 * Opens a pool of connections to PostgreSQL with limited waits: 4 s to connect, 5 s for a lock, 15 s for a statement, 15 s idle
 * inside a transaction. A vanished host cannot enforce these limits, so it is detected separately, within 4 s.
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
    // `pg` awaits the returned promise, though its type does not declare that.
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

/** Measures all connections of a pool. Every request for a connection calls `pool.connect`; `pool.query` also calls it. */
export function measurePool(pool: pg.Pool, named: string, measures: Measures): void {
  const labels = { pool: named.replace(/^alder[ -]/, '') }
  measures.watch('alder_pool_connections', () => [
    { labels: { ...labels, state: 'idle' }, value: pool.idleCount },
    { labels: { ...labels, state: 'used' }, value: pool.totalCount - pool.idleCount },
  ])
  measures.watch('alder_pool_waiting', () => [{ labels, value: pool.waitingCount }])
  const connect = pool.connect.bind(pool)
  type ConnectArguments = Parameters<Parameters<typeof connect>[0]>
  const measureConnect = (report?: (...told: ConnectArguments) => void) => {
    const askedAt = performance.now()
    const note = () => measures.observe('alder_pool_wait_seconds', labels, (performance.now() - askedAt) / 1_000)
    if (!report) return connect().finally(note)
    return connect((...args) => {
      note()
      report(...args)
    })
  }
  pool.connect = measureConnect as typeof pool.connect
}

const EXPIRED = 'Query read timeout'

/**
 * Sets the limits and the planning of a new connection before its first statement. These settings are not part of the
 * connection request because a pooler refuses them or drops them silently (decision 430). If they cannot be set, the connection
 * is not used.
 */
async function settle(client: pg.ClientBase, limits: Record<string, number | string>, withinMs: number): Promise<void> {
  const settings = { ...limits, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }
  const sets = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`)
  const statement = { text: [...sets, PLANNING, DAYS].join('; '), query_timeout: withinMs }
  try {
    await client.query(statement)
  } catch (error) {
    if (!(error instanceof Error && error.message === EXPIRED)) throw error
    throw new Error('timeout exceeded when trying to connect', { cause: error })
  }
}

/**
 * Returns a watch of a host. `statementTimeoutMs` is the longest run of its statements in milliseconds; 15 s by default, null
 * for no limit.
 */
export function watchFor(statementTimeoutMs: number | null = STATEMENT_TIMEOUT_MS): HostWatch {
  return hostWatch({ connectionSilenceMs: statementTimeoutMs === null ? null : statementTimeoutMs + LATER_MS })
}

/**
 * Replaces unusable connections of a pool at their next use: connections that died, idle or in use; connections to a read-only
 * server, which was the primary before a failover; and connections whose prepared statements are older than a migration.
 * Without the listeners, a lost connection would end the process.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  const uselessClients = new WeakSet<pg.PoolClient>()
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    client.connection.on('errorMessage', (error: pg.DatabaseError) => {
      if (error.code === READ_ONLY || isStaleStatement(error)) uselessClients.add(client)
    })
  })
  // This runs before the pool checks the client: a client that is ending is not used again.
  pool.on('release', (_error, client) => {
    if (uselessClients.has(client)) void client.end()
  })
}
