import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult, Transaction } from 'kysely'
import type { PoolClient } from 'pg'
import { postgresOf } from '#server/platform/db/dialect.ts'
import type { Database } from '#server/platform/db/schema.ts'

const noop = async (): Promise<void> => undefined

/** A driver of one connection, whose transactions somebody else begins and ends. */
export const driverOn = (connection: DatabaseConnection): Driver => ({
  init: noop,
  acquireConnection: async () => connection,
  beginTransaction: noop,
  commitTransaction: noop,
  rollbackTransaction: noop,
  releaseConnection: noop,
  destroy: noop,
})

/**
 * Typed queries in the SQL transaction that is open on a connection. On a pipelined one, those that are asked at the same time
 * are sent at the same time; in a transaction of Kysely's own each waits for the answer to the one before. After `end` it
 * sends nothing more: a query that came late would run outside of the transaction.
 */
export function transactionOn(client: PoolClient): { trx: Transaction<Database>; end(): void } {
  let ended = false
  const driver = driverOn({
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (ended) throw new Error('The SQL transaction has ended')
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('Nothing is streamed here')
    },
  })
  const config = postgresOf(driver)
  const executor = new Kysely<Database>(config).getExecutor()
  const trx = new Transaction<Database>({ config, dialect: config.dialect, driver, executor })
  const end = (): void => {
    ended = true
  }
  return { trx, end }
}
