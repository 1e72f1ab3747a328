import { createHash } from 'node:crypto'
import pg from 'pg'

/** Matches statements that read or change rows. Other statements (BEGIN, LISTEN, SET) need no plan. */
const IS_PLANNED = /^[\s(]*(?:select|insert|update|delete|with)\b/i
/** Matches several rows of values, `(…), ($5, …)`. Such statements have another text for each number of rows. */
const LISTS_ROWS = /\)\s*,\s*\(\s*\$\d/
/**
 * The largest number of names. The bank has fewer statement texts. Statements without a name are planned each time, so that
 * they do not fill PostgreSQL's memory.
 */
const MAX_NAMES = 2_000
const DIGEST_LETTERS = 16

const names = new Map<string, string>()

/** Returns the names of the statements in this process, by text. */
export const namedStatements = (): ReadonlyMap<string, string> => names

/** Returns the name under which a statement is prepared once per connection; null if preparing it has no benefit. */
export function nameOf(text: string, hasValues: boolean): string | null {
  const statementName = names.get(text)
  if (statementName !== undefined) return statementName
  // A text without values may contain several statements, which cannot be prepared.
  if (names.size >= MAX_NAMES || !IS_PLANNED.test(text) || LISTS_ROWS.test(text)) return null
  if (!hasValues && text.includes(';')) return null
  const name = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LETTERS)
  names.set(text, name)
  return name
}

/** Adds the name to a text, or to a statement object of `pg`. */
function nameStatement(statement: unknown, values: unknown): unknown {
  if (typeof statement === 'string') {
    if (typeof values === 'function') return statement
    const name = nameOf(statement, Array.isArray(values) && values.length > 0)
    return name === null ? statement : { name, text: statement }
  }
  if (statement === null || typeof statement !== 'object' || 'submit' in statement || 'name' in statement)
    return statement
  const { text, values: parameters } = statement as { text?: unknown; values?: unknown[] }
  const name = typeof text === 'string' ? nameOf(text, (parameters?.length ?? 0) > 0) : null
  return name === null ? statement : { ...statement, name }
}

/** Returns whether PostgreSQL refused a prepared statement because a migration changed its result columns. */
export function isStaleStatement(error: object): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/**
 * A connection that names each statement by its text, so that PostgreSQL parses and plans it once per connection. For a
 * dashboard, parsing and planning take five times as long as reading.
 */
export class NamingClient extends pg.Client {
  override query = ((statement: unknown, values?: unknown, callback?: unknown) => {
    // All statements of one turn of the event loop go out in one system call. System calls cost more than the rest of a
    // statement here.
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    return super.query(nameStatement(statement, values) as never, values as never, callback as never)
  }) as pg.Client['query']
}
