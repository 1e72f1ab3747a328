import { setTimeout as wait } from 'node:timers/promises'
import { type CompiledQuery, InsertQueryNode, DeleteQueryNode, Kysely, UpdateQueryNode } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { postgresOf } from '#server/platform/db/dialect.ts'
import { openPool, READ_ONLY } from '#server/platform/db/pool.ts'
import { errorCode, isUnavailable } from '#server/platform/db/run.ts'
import { isOurs, type Position, positionOf, STANDING, type Standing } from '#server/platform/db/replica-position.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { driverOn } from '#server/platform/db/transaction-on.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'

/** How long it is waited for what the replica has not replayed yet, and how often it is asked meanwhile. Milliseconds. */
const WAIT_MS = 200
const ASK_MS = 10
/** How long one may take to connect, to say how it stands, and to answer a statement. Milliseconds. */
const CONNECT_MS = 500
const STANDING_MS = 500
const STATEMENT_MS = 3_000
/** How long one that cannot be read from is left alone before it is asked again, beside the requests. Milliseconds. */
const REST_MS = 2_000
const CONNECTIONS = 8

/** PostgreSQL's code for a statement that the log cannot wait for any longer, and for a transaction that has to be tried again. */
const CONFLICT = '40001'
const CANCELLED = '57014'

/** Why a request is answered by the primary. */
type Reason = 'away' | 'behind' | 'busy' | 'conflict' | 'elsewhere' | 'error' | 'several' | 'slow' | 'write'
/** For these, the next requests do not even try. Not where it is busy: all that it does would come upon the primary at once. */
const RESTS: ReadonlySet<Reason> = new Set(['away', 'behind', 'elsewhere', 'slow'])

/** A standby that what only reads may be read from. */
export type Replica = {
  /**
   * Queries that read at the replica, which has all that was committed before this call; once anything is in the way of that,
   * what is left of them is read at `primary`, and so is all that writes.
   */
  reading(primary: Kysely<Database>): Promise<Kysely<Database>>
  /** Looks how the replica stands; for what measures it. */
  look(primary: Kysely<Database>): Promise<void>
  close(): Promise<void>
}

export const NO_REPLICA: Replica = {
  reading: async (primary) => primary,
  look: async () => undefined,
  close: async () => undefined,
}

declare module '#server/platform/deps.ts' {
  interface Core {
    replica: Replica
  }
}

/**
 * The same dependencies, whose `db` reads at the replica, where there is one that has all that was committed before now: for
 * what takes many reads and no decision. Its `pool` and all other connections lead to the primary as before.
 */
export async function fromReplica<Given extends { db: Kysely<Database>; replica: Replica }>(
  deps: Given,
): Promise<Given> {
  return { ...deps, db: await deps.replica.reading(deps.db) }
}

/** Why the replica was not read from. */
class NotRead extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

function reasonOf(error: unknown): Reason {
  if (error instanceof NotRead) return error.reason
  const code = errorCode(error)
  if (code === READ_ONLY) return 'write'
  if (code === CONFLICT || (error instanceof Error && error.message.includes('conflict with recovery')))
    return 'conflict'
  if (code === CANCELLED || (error instanceof Error && error.message === 'Query read timeout')) return 'slow'
  return isUnavailable(error) ? 'away' : 'error'
}

type ReplicaOptions = { url: string; log: Logger; measures: Measures }

/** The replica at an address of the serving role. It is connected to when it is first read from. */
export function openReplica({ url, log, measures }: ReplicaOptions): Replica {
  const pool = openPool(url, {
    name: 'alder replica',
    max: CONNECTIONS,
    readOnly: true,
    connectTimeoutMs: CONNECT_MS,
    statementTimeoutMs: STATEMENT_MS,
    measures,
  })
  let isUsed = true
  let triedAt = -Infinity
  let looking: Promise<void> | null = null
  let behindBytes = 0
  measures.watch('alder_replica_used', () => [{ labels: {}, value: isUsed ? 1 : 0 }])
  measures.watch('alder_replica_behind_bytes', () => [{ labels: {}, value: behindBytes }])

  const learn = (reason: Reason | null, error?: unknown): void => {
    triedAt = performance.now()
    const was = isUsed
    isUsed = reason === null
    if (was && !isUsed) log.warn({ reason, err: error }, 'the replica is not read from')
    if (!was && isUsed) log.info('the replica is read from again')
  }
  const heard = (standing: Standing): void => {
    behindBytes = standing.behindBytes ?? 0
  }
  const fell = (error: unknown): void => {
    const reason = reasonOf(error)
    measures.count('alder_replica_fallbacks_total', { reason })
    if (RESTS.has(reason)) learn(reason, error)
  }
  const look = (primary: Kysely<Database>): Promise<void> =>
    (looking ??= lookAt(primary).finally(() => (looking = null)))
  const lookAt = async (primary: Kysely<Database>): Promise<void> => {
    const position = await positionOf(primary).catch(() => null)
    // A primary that cannot say where it is says nothing about its replica.
    if (!position) return
    try {
      await new Reading(pool, position, { heard, fell }).on(async () => undefined)
      learn(null)
    } catch (error) {
      learn(reasonOf(error), error)
    }
  }

  return {
    look,
    async reading(primary) {
      const position = isUsed ? await positionOf(primary).catch(() => null) : null
      measures.count('alder_replica_requests_total', { from: position ? 'replica' : 'primary' })
      if (position) return readingDb(primary, new Reading(pool, position, { heard, fell }))
      if (!isUsed && performance.now() - triedAt >= REST_MS) void look(primary)
      return primary
    },
    close: () => pool.end(),
  }
}

type Listener = { heard(standing: Standing): void; fell(error: unknown): void }

/** What one request reads at the replica. */
class Reading {
  readonly #pool: Pool
  readonly #position: Position
  readonly #listener: Listener
  /** Connections that have shown in this very request that they lead to what has all. */
  readonly #shown = new WeakSet<PoolClient>()
  /** The server that they lead to. Another one might not have what this one has shown already. */
  #server: string | null = null
  isOver = false

  constructor(pool: Pool, position: Position, listener: Listener) {
    this.#pool = pool
    this.#position = position
    this.#listener = listener
  }

  /** Runs `work` on a connection to the replica. Throws where that cannot be, or whatever it throws. */
  async on<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    try {
      if (!this.#shown.has(client)) await this.#show(client)
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // Whatever went wrong, the next one begins with a connection that nothing hangs on.
      client.release(true)
      throw error
    }
  }

  /** The rows of a statement, read at the replica; null where it has to be asked of the primary, now and from now on. */
  async read({ sql, parameters }: CompiledQuery): Promise<Record<string, unknown>[] | null> {
    if (this.isOver) return null
    try {
      return await this.on(async (client) => (await client.query(timed(sql, parameters, STATEMENT_MS))).rows)
    } catch (error) {
      if (!this.isOver) this.#listener.fell(error)
      this.isOver = true
      return null
    }
  }

  async #connect(): Promise<PoolClient> {
    const isBusy = this.#pool.totalCount - this.#pool.idleCount >= CONNECTIONS
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw isBusy ? new NotRead('busy', 'All connections to it are in use') : error
    }
  }

  async #show(client: PoolClient): Promise<void> {
    const until = performance.now() + WAIT_MS
    for (let pauseMs = ASK_MS; ; pauseMs *= 2) {
      const { rows } = await client.query<Standing>(timed(STANDING, [this.#position.lsn], STANDING_MS))
      const [standing] = rows
      if (!standing || !isOurs(standing, this.#position))
        throw new NotRead('elsewhere', 'It is no standby of the database that DATABASE_URL leads to, as it is now')
      this.#server ??= standing.server
      if (standing.server !== this.#server) throw new NotRead('several', 'Connections lead to several standbys')
      this.#listener.heard(standing)
      if (standing.isRecent) break
      if (performance.now() + pauseMs > until) throw new NotRead('behind', 'It has not replayed what was committed')
      await wait(pauseMs)
    }
    this.#shown.add(client)
  }
}

/** A statement that is given up here a little later than PostgreSQL should have: a process that stands still cannot. */
const timed = (text: string, values: readonly unknown[], ms: number) => ({
  text,
  values: [...values],
  query_timeout: ms + STANDING_MS,
})

const writes = ({ query }: CompiledQuery): boolean =>
  InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query)

/** Typed queries of one request. What writes, and every transaction, is the primary's, and all that comes after it. */
function readingDb(primary: Kysely<Database>, reading: Reading): Kysely<Database> {
  const driver = driverOn({
    async executeQuery<Row>(query: CompiledQuery) {
      if (writes(query)) reading.isOver = true
      const rows = await reading.read(query)
      if (!rows) return primary.executeQuery<Row>(query)
      return { rows: rows as Row[], numAffectedRows: BigInt(rows.length) }
    },
    streamQuery() {
      throw new Error('Nothing is streamed here')
    },
  })
  return Object.assign(new Kysely<Database>(postgresOf(driver)), {
    transaction: () => {
      reading.isOver = true
      return primary.transaction()
    },
  })
}
