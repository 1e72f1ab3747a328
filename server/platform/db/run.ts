import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { isStaleStatement } from '#server/platform/db/named-statements.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'

/**
 * Runs one SQL statement, with $1 … values, on one connection or wherever the pool has one free: what the ledger takes.
 * All else writes typed queries with Kysely, but for the look-ups of every request and what Kysely cannot say.
 */
export type Run = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

type Queryable = { query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }> }

/** Statements on a `pg` client or pool. */
export function runOn(client: Queryable): Run {
  return (text, values = []) => client.query(text, values)
}

/** Statements inside a Kysely transaction (or, outside one, on any of its connections). */
export function runIn(db: Kysely<Database>): Run {
  return async (text, values = []) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows: rows as Record<string, unknown>[] }
  }
}

/** Statements one after the other; answers the rows of each. */
export async function runEach(run: Run, statements: readonly Statement[]): Promise<Record<string, unknown>[][]> {
  const answers = []
  for (const { text, values } of statements) answers.push((await run(text, values)).rows)
  return answers
}

/** Statements whose rows nobody needs, one after the other, inside a Kysely transaction. */
export async function runAll(trx: Kysely<Database>, statements: readonly Statement[]): Promise<void> {
  await runEach(runIn(trx), statements)
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/** What was read had changed by the time it was locked: the same work comes to something else now, and is done again. */
export class Outdated extends Error {
  readonly code = SERIALIZATION_FAILURE
}

/** The SQLSTATE (or Node's network error code) of an error, or null where it has none. */
export function errorCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : null
}

/** Whether PostgreSQL refused a row because another one has what must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === UNIQUE_VIOLATION
}

/** The same operation id was posted elsewhere in the same instant: the next try finds it. */
function isTwin(error: unknown): boolean {
  const { constraint } = error as { constraint?: unknown }
  return isUniqueViolation(error) && constraint === 'operation_pkey'
}

/** PostgreSQL gave up for a reason that passes: the same statements may well succeed now. */
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

/** The database cannot serve right now (down, full, out of connections, stuck), whatever was asked. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  const code = errorCode(error)
  if (isStaleStatement(error)) return true
  // The socket of a PostgreSQL that is not running; other files that are missing say nothing about it.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (code && (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.some((start) => code.startsWith(start)))) return true
  return UNAVAILABLE_MESSAGES.some((text) => error.message.includes(text))
}

const TRIES = 6

/** Waits a little, longer each time and never the same, before a try numbered from 1. */
export function backOff(attempt: number): Promise<void> {
  return wait(Math.random() * 10 * 2 ** attempt)
}

/**
 * Runs `work` in one READ COMMITTED transaction: it commits when `work` answers and rolls back when it throws.
 * Deadlocks and serialization failures are tried again, so `work` must do nothing but SQL. What the ledger offers takes
 * `runIn(trx)`.
 * Throws Refusal('unavailable') when the database cannot serve.
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

/** Runs `work`, which only reads and with `db` alone, in one transaction: all that it reads is as of the same instant. */
export function asOfOneInstant<Given extends { db: Kysely<Database> }, Result>(
  deps: Given,
  work: (then: Given) => Promise<Result>,
): Promise<Result> {
  const reading = deps.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return reading.execute((trx) => work({ ...deps, db: trx }))
}
