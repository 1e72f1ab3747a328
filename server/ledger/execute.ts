import { type Run, runEach } from '#server/platform/db/run.ts'
import type { Statement } from '#server/platform/db/statement.ts'

type Rows = Record<string, unknown>[]

/** Runs statements in order on one connection, inside whatever transaction is open on it, and answers their rows. */
export type Execute = (...statements: Statement[]) => Promise<Rows[]>

type Queryable = { query(statement: Statement): Promise<{ rows: Rows }> }

/** On a pipelined connection: each statement is sent without waiting for the answer to the one before. */
export function executeOn(client: Queryable): Execute {
  return async (...statements) => {
    const results = await Promise.all(statements.map((statement) => client.query(statement)))
    return results.map((result) => result.rows)
  }
}

/** One statement after the other, on a connection of the caller's. */
export function executeIn(run: Run): Execute {
  return (...statements) => runEach(run, statements)
}
