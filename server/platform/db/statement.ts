import { type CompiledQuery, DummyDriver, type Insertable, Kysely, type Updateable } from 'kysely'
import { postgresOf } from '#server/platform/db/dialect.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** One SQL statement, to be sent by whoever holds a connection. */
export type Statement = { text: string; values?: unknown[] }

/** Sends nothing. */
const compiler = new Kysely<Database>(postgresOf(new DummyDriver()))

/** What a typed query or a piece of SQL sends. */
export function statementOf(query: { compile(db: Kysely<Database>): CompiledQuery }): Statement {
  const { sql, parameters } = query.compile(compiler)
  return { text: sql, values: [...parameters] }
}

type Table = keyof Database
type Column<Of extends Table> = keyof Database[Of] & string

const named = (column: string): string => `"${column}"`

/** Rows as JSON, from which PostgreSQL reads each column by its type. */
function asJson(rows: readonly object[]): string {
  return JSON.stringify(rows, function (this: Record<string, unknown>, column: string, value: unknown) {
    const given = this[column]
    return Buffer.isBuffer(given) ? `\\x${given.toString('hex')}` : value
  })
}

function columnsOf(rows: readonly object[]): string[] {
  const [columns = [], ...others] = rows.map((row) => Object.keys(row).toSorted())
  if (others.some((other) => other.join() !== columns.join())) throw new TypeError('All rows name the same columns')
  return columns
}

/**
 * The statement that inserts rows, none where there are none. Its text is the same for any number of rows, so that it is
 * planned once. A row whose `replace` columns are those of one that is there takes its place. What a jsonb column gets is
 * given as it is, not as text.
 */
export function insertRows<Of extends Table>(
  table: Of,
  rows: readonly Insertable<Database[Of]>[],
  { replace = [] }: { replace?: Column<Of>[] } = {},
): Statement[] {
  if (rows.length === 0) return []
  const columns = columnsOf(rows).map(named)
  const list = columns.join(', ')
  const others = columns.filter((column) => !replace.map(named).includes(column))
  const conflict =
    replace.length > 0
      ? ` ON CONFLICT (${replace.map(named).join(', ')}) DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`
      : ''
  const text = `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)${conflict}`
  return [{ text, values: [asJson(rows)] }]
}

/** The statement that changes rows, each found by its `id`, none where there are none; all of them change the same columns. */
export function updateRows<Of extends Table>(
  table: Of,
  rows: readonly (Updateable<Database[Of]> & { id: string })[],
): Statement[] {
  if (rows.length === 0) return []
  const sets = columnsOf(rows)
    .filter((column) => column !== 'id')
    .map((column) => `${named(column)} = changed.${named(column)}`)
  // The ids are said once more, so that PostgreSQL reads no more rows than these whatever it thinks of the table's size.
  const text = `UPDATE ${table} AS kept SET ${sets.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) AS changed WHERE kept.id = changed.id AND kept.id = ANY($2)`
  return [{ text, values: [asJson(rows), rows.map(({ id }) => id)] }]
}
