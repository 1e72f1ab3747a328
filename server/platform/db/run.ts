import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { isStaleStatement } from '#server/platform/db/named-statements.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'

/**
 * Runs one SQL statement with values $1 …, on one connection or on any free one of a pool. The ledger uses this type. Other
 * code writes typed queries with Kysely, except for the look-ups of every request and for SQL that Kysely cannot express.
 */
export type Run = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

type Queryable = { query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }> }

/** Runs statements on a `pg` client or pool. */
export function runOn(client: Queryable): Run {
  return (text, values = []) => client.query(text, values)
}

/** Runs statements inside a Kysely transaction or, outside of one, on any connection of its pool. */
export function runIn(db: Kysely<Database>): Run {
  return async (text, values = []) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows: rows as Record<string, unknown>[] }
  }
}

/** Runs statements one after another. Returns the rows of each. */
export async function runEach(run: Run, statements: readonly SqlStatement[]): Promise<Record<string, unknown>[][]> {
  const answers = []
  for (const { text, values } of statements) answers.push((await run(text, values)).rows)
  return answers
}

/** Runs statements one after another inside a Kysely transaction, and ignores their rows. */
export async function runAll(trx: Kysely<Database>, statements: readonly SqlStatement[]): Promise<void> {
  await runEach(runIn(trx), statements)
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/** The error for data that changed between reading and locking it. The work must be repeated with the new data. */
export class OutdatedError extends Error {
  readonly code = SERIALIZATION_FAILURE
}

/** Returns the SQLSTATE (or Node's network error code) of an error; null if it has none. */
export function errorCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : null
}

/** Returns whether PostgreSQL refused a row because it violates a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === UNIQUE_VIOLATION
}

/** Returns whether another request posted the same operation id at the same time. The next attempt finds that operation. */
function isTwin(error: unknown): boolean {
  const { constraint } = error as { constraint?: unknown }
  return isUniqueViolation(error) && constraint === 'operation_pkey'
}

/** Returns whether PostgreSQL failed for a temporary reason, so that the same statements may succeed now. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK || isTwin(error)
}

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ECONNABORTED',
  'EAI_AGAIN',
  '55P03', // lock_not_available
  '57014', // query_canceled, as by statement_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout, which an operator may set
  '25006', // read_only_sql_transaction: a standby, or a primary that has just become one
  '58030', // io_error
])
const UNAVAILABLE_CLASSES = ['08', '53', '57P'] // connection, resources (disk full, memory, connections), shutdown
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
]

/** Returns whether the database cannot serve any request now (down, full, out of connections, stuck). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  const code = errorCode(error)
  if (isStaleStatement(error)) return true
  // ENOENT on connecting means that PostgreSQL's socket is missing. For other files it says nothing about the database.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (code && (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.some((start) => code.startsWith(start)))) return true
  return UNAVAILABLE_MESSAGES.some((text) => error.message.includes(text))
}

const TRIES = 6

/** Waits for a random time that grows with each attempt. Attempts are numbered from 1. */
export function backOff(attempt: number): Promise<void> {
  return wait(Math.random() * 10 * 2 ** attempt)
}

/**
 * Runs `work` in one READ COMMITTED transaction. Commits when `work` returns and rolls back when it throws. Repeats `work`
 * after a deadlock, after a serialization failure, or if a concurrent request posted the same operation. So `work` must do
 * nothing except SQL. Functions of the ledger take `runIn(trx)`. Throws Refusal('unavailable') if the database cannot serve or
 * the last attempt fails.
 */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (isTransient(error) && attempt < TRIES) await backOff(attempt)
      else if (isTransient(error) || isUnavailable(error)) throw new Refusal('unavailable', undefined, { cause: error })
      else throw error
    }
  }
}

/**
 * Runs `work` in one transaction, so that all of its reads see the same instant. `work` must only read, and only through `db`.
 */
export function asOfOneInstant<Given extends { db: Kysely<Database> }, Result>(
  deps: Given,
  work: (then: Given) => Promise<Result>,
): Promise<Result> {
  const reading = deps.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return reading.execute((trx) => work({ ...deps, db: trx }))
}
