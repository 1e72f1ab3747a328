import { createHash } from 'node:crypto'
import pg from 'pg'

/** What looks rows up or changes them. The rest begins and ends transactions, listens or sets: nothing is planned for it. */
const IS_PLANNED = /^[\s(]*(?:select|insert|update|delete|with)\b/i
/** Rows written as `(…), ($5, …)` make another text for each number of rows. */
const LISTS_ROWS = /\)\s*,\s*\(\s*\$\d/
/** More texts than the bank has. Past it, statements are planned each time instead of filling PostgreSQL's memory. */
const NAMES_MOST = 2_000
const DIGEST_LETTERS = 16

const names = new Map<string, string>()

/** The names that statements were given in this process, by their texts. */
export const namedStatements = (): ReadonlyMap<string, string> => names

/** The name under which a statement is prepared once per connection; null for one that is not worth it. */
export function nameOf(text: string, hasValues: boolean): string | null {
  const known = names.get(text)
  if (known !== undefined) return known
  // Without values there may be several statements in one text.
  if (names.size >= NAMES_MOST || !IS_PLANNED.test(text) || LISTS_ROWS.test(text)) return null
  if (!hasValues && text.includes(';')) return null
  const name = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LETTERS)
  names.set(text, name)
  return name
}

/** A text, or a statement as `pg` takes it, with its name. */
function named(statement: unknown, values: unknown): unknown {
  if (typeof statement === 'string') {
    if (typeof values === 'function') return statement
    const name = nameOf(statement, Array.isArray(values) && values.length > 0)
    return name === null ? statement : { name, text: statement }
  }
  if (statement === null || typeof statement !== 'object' || 'submit' in statement || 'name' in statement)
    return statement
  const { text, values: own } = statement as { text?: unknown; values?: unknown[] }
  const name = typeof text === 'string' ? nameOf(text, (own?.length ?? 0) > 0) : null
  return name === null ? statement : { ...statement, name }
}

/** Whether PostgreSQL refused a statement that was prepared before a migration changed what it answers. */
export function isStaleStatement(error: object): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/**
 * A connection that names each statement by its text, so that PostgreSQL parses and plans it once per connection: for a
 * dashboard that takes five times as long as the reading.
 */
export class NamingClient extends pg.Client {
  override query = ((statement: unknown, values?: unknown, callback?: unknown) => {
    // What is asked in one turn is sent with one system call: they cost more than all else that a statement takes here.
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    return super.query(named(statement, values) as never, values as never, callback as never)
  }) as pg.Client['query']
}
