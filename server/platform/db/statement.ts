import { type CompiledQuery, DummyDriver, type Insertable, Kysely, type Updateable } from 'kysely'
import { postgresOf } from '#server/platform/db/dialect.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** One SQL statement, ready for any connection. */
export type SqlStatement = { text: string; values?: unknown[] }

/** A Kysely instance that only compiles queries. */
const compiler = new Kysely<Database>(postgresOf(new DummyDriver()))

/** Returns the statement of a typed query or of a piece of SQL. */
export function statementOf(query: { compile(db: Kysely<Database>): CompiledQuery }): SqlStatement {
  const { sql, parameters } = query.compile(compiler)
  return { text: sql, values: [...parameters] }
}

type Table = keyof Database
type Column<Of extends Table> = keyof Database[Of] & string

const quote = (column: string): string => `"${column}"`

/** Returns rows as JSON. PostgreSQL reads each column by its type. */
function asJson(rows: readonly object[]): string {
  return JSON.stringify(rows, function (this: Record<string, unknown>, column: string, value: unknown) {
    const columnValue = this[column]
    return Buffer.isBuffer(columnValue) ? `\\x${columnValue.toString('hex')}` : value
  })
}

function columnsOf(rows: readonly object[]): string[] {
  const [columns = [], ...otherColumns] = rows.map((row) => Object.keys(row).toSorted())
  if (otherColumns.some((other) => other.join() !== columns.join()))
    throw new TypeError('All rows name the same columns')
  return columns
}

/**
 * Returns the statement that inserts rows, or an empty list for no rows. The text of the statement is the same for any number
 * of rows, so that PostgreSQL plans it once. A row replaces an existing row with the same `replace` columns. Values of jsonb
 * columns are passed as objects, not as text.
 */
export function insertRows<Of extends Table>(
  table: Of,
  rows: readonly Insertable<Database[Of]>[],
  { replace = [] }: { replace?: Column<Of>[] } = {},
): SqlStatement[] {
  if (rows.length === 0) return []
  const columns = columnsOf(rows).map(quote)
  const list = columns.join(', ')
  const replacedColumns = columns.filter((column) => !replace.map(quote).includes(column))
  const conflict =
    replace.length > 0
      ? ` ON CONFLICT (${replace.map(quote).join(', ')}) DO UPDATE SET ${replacedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`
      : ''
  const text = `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)${conflict}`
  return [{ text, values: [asJson(rows)] }]
}

/** Returns the statement that updates rows by `id`, or an empty list for no rows. All rows must change the same columns. */
export function updateRows<Of extends Table>(
  table: Of,
  rows: readonly (Updateable<Database[Of]> & { id: string })[],
): SqlStatement[] {
  if (rows.length === 0) return []
  const sets = columnsOf(rows)
    .filter((column) => column !== 'id')
    .map((column) => `${quote(column)} = changed.${quote(column)}`)
  // The ids are passed again as an array, so that PostgreSQL reads only these rows, however large it estimates the table.
  const text = `UPDATE ${table} AS kept SET ${sets.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) AS changed WHERE kept.id = changed.id AND kept.id = ANY($2)`
  return [{ text, values: [asJson(rows), rows.map(({ id }) => id)] }]
}
