import { setTimeout as wait } from 'node:timers/promises'
import { type CompiledQuery, InsertQueryNode, DeleteQueryNode, Kysely, UpdateQueryNode } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { postgresOf } from '#server/platform/db/dialect.ts'
import { openPool, READ_ONLY } from '#server/platform/db/pool.ts'
import { errorCode, isUnavailable } from '#server/platform/db/run.ts'
import {
  isOwnStandby,
  type PrimaryPosition,
  readPrimaryPosition,
  STANDBY_STATE,
  type StandbyState,
} from '#server/platform/db/replica-position.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { driverOn } from '#server/platform/db/transaction-on.ts'
import type { Measures } from '#server/platform/telemetry/measures.ts'

/**
 * `WAIT_MS`: the longest wait for the replica to replay the log. `ASK_MS`: the interval between two checks during that wait.
 * Both are in milliseconds.
 */
const WAIT_MS = 200
const ASK_MS = 10
/** The longest times to connect, to read the standby's state, and to answer a statement, in milliseconds. */
const CONNECT_MS = 500
const STANDING_MS = 500
const STATEMENT_MS = 3_000
/** The pause after which an unusable replica is checked again, in milliseconds. No request waits for that check. */
const REST_MS = 2_000
const CONNECTIONS = 8

/**
 * PostgreSQL's code for a statement that conflicts with replaying the log. Transactions that must be retried have the same
 * code.
 */
const CONFLICT = '40001'
const CANCELED = '57014'

/** The reason why the primary answers a request. */
type Reason = 'away' | 'behind' | 'busy' | 'conflict' | 'elsewhere' | 'error' | 'several' | 'slow' | 'write'
/**
 * The reasons after which the next requests do not try the replica. `busy` is not among them, because the replica's whole load
 * would otherwise move to the primary at once.
 */
const RESTS: ReadonlySet<Reason> = new Set(['away', 'behind', 'elsewhere', 'slow'])

/** A standby that serves read-only queries. */
export type Replica = {
  /**
   * Returns queries that read from the replica, which has everything committed before this call. If the replica cannot answer,
   * the remaining queries go to `primary`. Writes always go there.
   */
  reading(primary: Kysely<Database>): Promise<Kysely<Database>>
  /** Checks the state of the replica, for metrics. */
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
 * Returns the dependencies with a `db` that reads from the replica, if the replica has everything committed before now. For
 * work with many reads and no decisions. `pool` and all other connections still lead to the primary.
 */
export async function fromReplica<Given extends { db: Kysely<Database>; replica: Replica }>(
  deps: Given,
): Promise<Given> {
  return { ...deps, db: await deps.replica.reading(deps.db) }
}

/** The error for a read that the replica cannot answer. `reason` is the reason for metrics and logs. */
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
  if (code === CANCELED || (error instanceof Error && error.message === 'Query read timeout')) return 'slow'
  return isUnavailable(error) ? 'away' : 'error'
}

type ReplicaOptions = { url: string; log: Logger; measures: Measures }

/** Opens the replica at an address of the serving role. The first read connects to it. */
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
  let currentLook: Promise<void> | null = null
  let behindBytes = 0
  measures.watch('alder_replica_used', () => [{ labels: {}, value: isUsed ? 1 : 0 }])
  measures.watch('alder_replica_behind_bytes', () => [{ labels: {}, value: behindBytes }])

  const learn = (reason: Reason | null, error?: unknown): void => {
    triedAt = performance.now()
    const wasUsed = isUsed
    isUsed = reason === null
    if (wasUsed && !isUsed) log.warn({ reason, err: error }, 'reads no longer use the replica')
    if (!wasUsed && isUsed) log.info('reads use the replica again')
  }
  const noteState = (state: StandbyState): void => {
    behindBytes = state.behindBytes ?? 0
  }
  const noteFallback = (error: unknown): void => {
    const reason = reasonOf(error)
    measures.count('alder_replica_fallbacks_total', { reason })
    if (RESTS.has(reason)) learn(reason, error)
  }
  const look = (primary: Kysely<Database>): Promise<void> =>
    (currentLook ??= lookAt(primary).finally(() => (currentLook = null)))
  const lookAt = async (primary: Kysely<Database>): Promise<void> => {
    const position = await readPrimaryPosition(primary).catch(() => null)
    // Without the primary's position, the replica cannot be checked.
    if (!position) return
    try {
      await new Reading(pool, position, { heard: noteState, fell: noteFallback }).on(async () => undefined)
      learn(null)
    } catch (error) {
      learn(reasonOf(error), error)
    }
  }

  return {
    look,
    async reading(primary) {
      const position = isUsed ? await readPrimaryPosition(primary).catch(() => null) : null
      measures.count('alder_replica_requests_total', { from: position ? 'replica' : 'primary' })
      if (position) return readingDb(primary, new Reading(pool, position, { heard: noteState, fell: noteFallback }))
      if (!isUsed && performance.now() - triedAt >= REST_MS) void look(primary)
      return primary
    },
    close: () => pool.end(),
  }
}

type Listener = { heard(state: StandbyState): void; fell(error: unknown): void }

/** The reads of one request from the replica. */
class Reading {
  readonly #pool: Pool
  readonly #position: PrimaryPosition
  readonly #listener: Listener
  /** The connections that were checked in this request. */
  readonly #shown = new WeakSet<PoolClient>()
  /** The server of these connections. Another server might not have replayed the data that this one has already returned. */
  #server: string | null = null
  isOver = false

  constructor(pool: Pool, position: PrimaryPosition, listener: Listener) {
    this.#pool = pool
    this.#position = position
    this.#listener = listener
  }

  /**
   * Runs `work` on a connection to the replica. Throws if there is no usable connection, and passes on the errors of `work`.
   */
  async on<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    try {
      if (!this.#shown.has(client)) await this.#show(client)
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // After any error, the next read gets a new connection without leftovers.
      client.release(true)
      throw error
    }
  }

  /**
   * Returns the rows of a statement from the replica. Returns null if the primary has to answer it and all later statements.
   */
  async read({ sql, parameters }: CompiledQuery): Promise<Record<string, unknown>[] | null> {
    if (this.isOver) return null
    try {
      return await this.on(async (client) => (await client.query(withTimeout(sql, parameters, STATEMENT_MS))).rows)
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
      const { rows } = await client.query<StandbyState>(withTimeout(STANDBY_STATE, [this.#position.lsn], STANDING_MS))
      const [row] = rows
      if (!row || !isOwnStandby(row, this.#position))
        throw new NotRead('elsewhere', 'It is not a standby of the current database at DATABASE_URL')
      this.#server ??= row.server
      if (row.server !== this.#server) throw new NotRead('several', 'Connections lead to several standbys')
      this.#listener.heard(row)
      if (row.isRecent) break
      if (performance.now() + pauseMs > until) throw new NotRead('behind', 'It has not replayed the latest commits')
      await wait(pauseMs)
    }
    this.#shown.add(client)
  }
}

/**
 * Returns a statement with a timeout in this process, a little later than PostgreSQL's own: a frozen PostgreSQL cannot enforce
 * its timeout.
 */
const withTimeout = (text: string, values: readonly unknown[], ms: number) => ({
  text,
  values: [...values],
  query_timeout: ms + STANDING_MS,
})

const writes = ({ query }: CompiledQuery): boolean =>
  InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query)

/** Returns the typed queries of one request. Writes, transactions and everything after them go to the primary. */
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
