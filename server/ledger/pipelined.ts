import type { Pool, PoolClient } from 'pg'
import { type Execute, executeOn } from '#server/ledger/execute.ts'
import type { Statement } from '#server/platform/db/statement.ts'

/** A SQL transaction on a pipelined connection. */
type Pipelined = {
  client: PoolClient
  execute: Execute
  /** BEGIN has been sent. What changes anything waits for its answer; what reads is sent together with it. */
  begun: Promise<unknown>
  /** Sends the last statements and COMMIT at once, and resolves when that is on the disk. */
  commit(...last: Statement[]): Promise<void>
}

/** Runs `work` in a SQL transaction of its own, which `work` commits. Rolls back where it throws. */
export async function inPipelined<Result>(pool: Pool, work: (on: Pipelined) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const execute = executeOn(client)
  const commit = async (...last: Statement[]): Promise<void> => {
    const sent = execute(...last)
    const [{ command }] = await Promise.all([client.query({ text: 'COMMIT' }), sent])
    // What had failed within it, unnoticed, made PostgreSQL roll it back.
    if (command !== 'COMMIT') throw new Error(`Not committed: ${command}`)
  }
  let broken: Error | undefined
  try {
    return await work({ client, execute, begun: execute({ text: 'BEGIN' }), commit })
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: Error) => {
      broken = reason
    })
    throw error
  } finally {
    client.release(broken)
  }
}
