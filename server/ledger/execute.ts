import { type Run, runEach } from '#server/platform/db/run.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'

type Rows = Record<string, unknown>[]

/** Runs statements in order on one connection, inside its open transaction if there is one, and returns their rows. */
export type Execute = (...statements: SqlStatement[]) => Promise<Rows[]>

type Queryable = { query(statement: SqlStatement): Promise<{ rows: Rows }> }

/** Returns an `Execute` for a pipelined connection: each statement is sent before the answer to the previous one arrives. */
export function executeOn(client: Queryable): Execute {
  return async (...statements) => {
    const results = await Promise.all(statements.map((statement) => client.query(statement)))
    return results.map((result) => result.rows)
  }
}

/** Returns an `Execute` for the caller's connection: statements run one after the other. */
export function executeIn(run: Run): Execute {
  return (...statements) => runEach(run, statements)
}
