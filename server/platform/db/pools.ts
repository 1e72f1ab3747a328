import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { listsAsArrays } from '#server/platform/db/lists.ts'
import { openPool, watchFor } from '#server/platform/db/pool.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * How many connections each kind of work has at most, and how long it waits for one of them. A kind that wants more than
 * its own takes none of another's. Beside these, a server has those of the ledger, of live events and of the jobs' queue.
 */
const SIZES = {
  /** For what the card scheme tells that does not ride (server/card-scheme/receive.ts). */
  cards: { max: 3 },
  /** What customers change, and what is looked up for all requests at once: sessions, who takes part in a payment. */
  payments: { max: 4 },
  /** So few that PostgreSQL has a processor for the others. */
  reads: { max: 4, connectTimeoutMs: 2_000 },
  /** Jobs, files, and what is written after the response: as many as jobs run at once, and nobody waits for most of it. */
  background: { max: 8, connectTimeoutMs: 10_000 },
  /** A check that waits this long has failed. */
  health: { max: 1, connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 },
  /** What is read for metrics. Where nobody measures, it is never opened. */
  metrics: { max: 1, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 },
} as const

export type PoolName = keyof typeof SIZES
export type PoolSizes = Partial<Record<PoolName, { max: number }>>
type Connections = { pool: Pool; db: Kysely<Database> }
export type Pools = Readonly<Record<PoolName, Connections>>

/** Typed queries on the connections of a pool. */
export const openDb = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [listsAsArrays] })

/** The connections of one server; `given` changes how many there are. They are opened when they are first used. */
export function openPools(
  url: string,
  measures: Measures,
  given: PoolSizes = {},
): { pools: Pools; close(): Promise<void> } {
  const host = watchFor()
  const open = (name: PoolName): Connections => {
    const pool = openPool(url, { name: `alder ${name}`, host, measures, ...SIZES[name], ...given[name] })
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
  // Not db.destroy(), which leaves the pool open when Kysely never used it.
  const close = async () => void (await Promise.all(Object.values(pools).map(({ pool }) => pool.end())))
  return { pools, close }
}

/** The same dependencies, with the connections of one kind of work. */
export function withPool<Given extends { pools: Pools } & Connections>(deps: Given, name: PoolName): Given {
  return { ...deps, ...deps.pools[name] }
}
