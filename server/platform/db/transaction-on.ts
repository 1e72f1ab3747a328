import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult, Transaction } from 'kysely'
import type { PoolClient } from 'pg'
import { postgresOf } from '#server/platform/db/dialect.ts'
import type { Database } from '#server/platform/db/schema.ts'

const noop = async (): Promise<void> => undefined

/** Returns a driver of one connection whose transactions the caller begins and ends. */
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
 * Returns typed queries in the open SQL transaction of a connection. On a pipelined connection, concurrent queries are sent
 * together; in a transaction of Kysely, each would wait for the answer to the previous one. After `end`, no query is sent: a
 * late one would run outside of the transaction.
 */
export function transactionOn(client: PoolClient): { trx: Transaction<Database>; end(): void } {
  let hasEnded = false
  const driver = driverOn({
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (hasEnded) throw new Error('The SQL transaction has ended')
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
    hasEnded = true
  }
  return { trx, end }
}
