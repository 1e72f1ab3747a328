import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { listsAsArrays } from '#server/platform/db/lists-to-arrays.ts'
import { openPool, watchFor } from '#server/platform/db/pool.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * The largest number of connections for each kind of work, and the longest wait for one of them. A kind never uses the
 * connections of another kind. A server has further connections for the ledger, for live events and for the job queue.
 */
const SIZES = {
  /** For requests of the card scheme. The ledger decides on the messages in its batches, on its own connections. */
  cards: { max: 3 },
  /** For customers' changes, and for look-ups shared by all requests: sessions and the parties of a payment. */
  payments: { max: 4 },
  /** For read-only requests. The number is small, so that PostgreSQL has a processor left for the other kinds. */
  reads: { max: 4, connectTimeoutMs: 2_000 },
  /**
   * For jobs, files and writes after the response. The number is that of the jobs that run at once. Clients do not wait for
   * most of this work.
   */
  background: { max: 8, connectTimeoutMs: 10_000 },
  /** For health checks. A check that waits longer has failed. */
  health: { max: 1, connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 },
  /** For metrics. No connection is opened if metrics are off. */
  metrics: { max: 1, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 },
} as const

export type PoolName = keyof typeof SIZES
export type PoolSizes = Partial<Record<PoolName, { max: number }>>
type Connections = { pool: Pool; db: Kysely<Database> }
export type Pools = Readonly<Record<PoolName, Connections>>

/** Returns a Kysely instance on the connections of a pool. */
export const openDb = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [listsAsArrays] })

/** Returns the pools of one server. `sizes` overrides their default sizes. Connections are opened at their first use. */
export function openPools(
  url: string,
  measures: Measures,
  sizes: PoolSizes = {},
): { pools: Pools; close(): Promise<void> } {
  const host = watchFor()
  const open = (name: PoolName): Connections => {
    const pool = openPool(url, { name: `alder ${name}`, host, measures, ...SIZES[name], ...sizes[name] })
    return { pool, db: openDb(pool) }
  }
  const pools: Pools = {
    cards: open('cards'),
    payments: open('payments'),
    reads: open('reads'),
    background: open('background'),
    health: open('health'),
    metrics: open('metrics'),
  }
  // `db.destroy()` would leave a pool open that Kysely never used.
  const close = async () => void (await Promise.all(Object.values(pools).map(({ pool }) => pool.end())))
  return { pools, close }
}

/** Returns the dependencies with the connections of one kind of work. */
export function withPool<Given extends { pools: Pools } & Connections>(deps: Given, name: PoolName): Given {
  return { ...deps, ...deps.pools[name] }
}
