import pg from 'pg'

const INT8 = 20
const NUMERIC = 1700

/** bigint and sums of bigint come back as exact JavaScript integers, or not at all. */
function exactInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not an exact integer`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return exactInteger
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
}

/**
 * Every statement here looks up rows by a key that has an index, and a named one keeps the plan that was made for it.
 * Made in a new bank, whose tables are empty, that plan would be to read them whole, and it would be kept while they
 * grow. So plans are made once, for any value, and through the index;
 * and without helpers, who take longer to come than such a look-up takes.
 */
const SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c max_parallel_workers_per_gather=0'

/**
 * Connections to PostgreSQL that never wait for ever: 5 s to connect, 5 s for a lock, 15 s for a statement,
 * 15 s idle inside a transaction.
 */
export function openPool(url: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'alder',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    types,
    options: SETTINGS,
    ...(options.pipeline ? { pipeline: true } : {}),
  })
  // An idle connection that dies is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined)
  // So would one that dies while it is in use, beside failing the statement that used it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
