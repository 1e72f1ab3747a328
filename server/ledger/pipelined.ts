import type { Pool, PoolClient } from 'pg'
import { type Execute, executeOn } from '#server/ledger/execute.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'

/** A SQL transaction on a pipelined connection. */
type Pipelined = {
  client: PoolClient
  execute: Execute
  /** Resolves when BEGIN is answered. Writes wait for it; reads are sent together with BEGIN. */
  transactionStart: Promise<unknown>
  /** Sends the last statements and COMMIT at once. Resolves when the commit is on the disk. */
  commit(...last: SqlStatement[]): Promise<void>
}

/** Runs `work` in its own SQL transaction, which `work` commits. Rolls back if `work` throws. */
export async function inPipelinedTransaction<Result>(
  pool: Pool,
  work: (on: Pipelined) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const execute = executeOn(client)
  const commit = async (...last: SqlStatement[]): Promise<void> => {
    const results = execute(...last)
    const [{ command }] = await Promise.all([client.query({ text: 'COMMIT' }), results])
    // A statement failed unnoticed within the transaction, so PostgreSQL rolled it back.
    if (command !== 'COMMIT') throw new Error(`Not committed: ${command}`)
  }
  let connectionError: Error | undefined
  try {
    return await work({ client, execute, transactionStart: execute({ text: 'BEGIN' }), commit })
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: Error) => {
      connectionError = reason
    })
    throw error
  } finally {
    client.release(connectionError)
  }
}
