import type { Run } from '#server/platform/db/run.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { seal, type SealName, unseal, unsealWith } from '#server/platform/secrets/sealed.ts'

type Row = Record<string, string>

/** A column with sealed content, which is sealed again when the bank's secret changes. */
export type SealedColumn = {
  /** The name of the table, such as 'bank.card'. */
  table: string
  /** The column that identifies a row: a UUID. */
  key: string
  column: string
  /** Further columns that the name of the sealed content contains. */
  parts?: readonly string[]
  /** Returns the name under which the content was sealed, from the key and the parts. */
  nameOf(row: Row): SealName
  /** Returns other columns that are derived from the secret and the content, to be updated together with it. */
  alsoOf?(config: Secret, content: Buffer): Record<string, unknown>
  /** The number of rows in one read; 500 by default. */
  batch?: number
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    sealed?: readonly SealedColumn[]
  }
}

/** The UUID before all others. No generator makes it, so no row has it. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export type Resealed = { rows: number; resealed: number }

/**
 * Seals content of a column under the current secret if it is sealed under another one. Needs the role of the table's owner.
 * Updates each row separately, and only if it has not changed since it was read. So the work may stop at any moment, and no
 * concurrent change is lost.
 */
export async function resealColumn(run: Run, config: Secret, sealed: SealedColumn): Promise<Resealed> {
  const { table, key, column, parts = [], batch = 500 } = sealed
  const columnList = [key, ...parts].join(', ')
  const counts: Resealed = { rows: 0, resealed: 0 }
  for (let after = BEFORE_ALL; ;) {
    const { rows } = await run(
      `SELECT ${columnList}, ${column} AS content FROM ${table}
        WHERE ${column} IS NOT NULL AND ${key} > $1 ORDER BY ${key} LIMIT ${batch}`,
      [after],
    )
    for (const row of rows) if (await resealRow(run, config, sealed, row)) counts.resealed += 1
    counts.rows += rows.length
    if (rows.length < batch) return counts
    after = rows.at(-1)?.[key] as string
  }
}

async function resealRow(
  run: Run,
  config: Secret,
  sealedColumn: SealedColumn,
  row: Record<string, unknown>,
): Promise<boolean> {
  const { table, key, column, nameOf, alsoOf } = sealedColumn
  const [name, before] = [nameOf(row as Row), row['content'] as Buffer]
  if (canOpen({ secret: config.secret }, name, before)) return false
  const content = unseal(config, name, before)
  const otherColumns = Object.entries(alsoOf?.({ secret: config.secret }, content) ?? {})
  const set = [column, ...otherColumns.map(([other]) => other)].map((other, index) => `${other} = $${index + 3}`)
  await run(`UPDATE ${table} SET ${set.join(', ')} WHERE ${key} = $1 AND ${column} = $2`, [
    row[key],
    before,
    seal(config, name, content),
    ...otherColumns.map(([, value]) => value),
  ])
  return true
}

function canOpen(secret: Secret, name: SealName, sealed: Buffer): boolean {
  try {
    unsealWith(secret, name, sealed)
    return true
  } catch {
    return false
  }
}
