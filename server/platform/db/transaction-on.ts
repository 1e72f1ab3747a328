import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { PoolClient } from 'pg'
import { listsAsArrays } from '#server/platform/db/lists.ts'
import type { Database } from '#server/platform/db/schema.ts'

const noop = async (): Promise<void> => undefined
const plugins = [listsAsArrays]

/** PostgreSQL's dialect on one connection, whose transaction somebody else begins and ends. */
function dialectOn(connection: DatabaseConnection): Dialect {
  const driver: Driver = {
    init: noop,
    acquireConnection: async () => connection,
    beginTransaction: noop,
    commitTransaction: noop,
    rollbackTransaction: noop,
    releaseConnection: noop,
    destroy: noop,
  }
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * Typed queries in the SQL transaction that is open on a connection. On a pipelined one, those that are asked at the same time
 * are sent at the same time; in a transaction of Kysely's own each waits for the answer to the one before. After `end` it
 * sends nothing more: a query that came late would run outside of the transaction.
 */
export function transactionOn(client: PoolClient): { trx: Transaction<Database>; end(): void } {
  let ended = false
  const dialect = dialectOn({
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (ended) throw new Error('The SQL transaction has ended')
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('Nothing is streamed here')
    },
  })
  const db = new Kysely<Database>({ dialect, plugins })
  const driver = dialect.createDriver()
  const trx = new Transaction<Database>({ config: { dialect, plugins }, dialect, driver, executor: db.getExecutor() })
  const end = (): void => {
    ended = true
  }
  return { trx, end }
}
