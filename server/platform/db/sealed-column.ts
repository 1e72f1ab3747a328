import type { Run } from '#server/platform/db/run.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { seal, type SealName, unseal, unsealWith } from '#server/platform/secrets/sealed.ts'

type Row = Record<string, string>

/** Where a slice keeps what it has sealed, so that it can be sealed anew when the bank's secret changes. */
export type SealedColumn = {
  /** 'bank.card' */
  table: string
  /** The column that names a row: a UUID. */
  key: string
  column: string
  /** What else of a row its name is made of. */
  parts?: readonly string[]
  /** What it was sealed under, by the key and the parts. */
  nameOf(row: Row): SealName
  /** Other columns that follow from the secret and from what is sealed, made anew with it. */
  alsoOf?(config: Secret, content: Buffer): Record<string, unknown>
  /** How many rows are read at a time; 500 unless told. */
  batch?: number
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    sealed?: readonly SealedColumn[]
  }
}

/** No row has this one: it has no version. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export type Resealed = { rows: number; resealed: number }

/**
 * Seals a column's content under the secret of now, as the owner of its table, where it is not yet. Each row is changed by
 * itself and only if it is as it was read, so that this may stop at any moment, and whoever changes a row meanwhile is not undone.
 */
export async function resealColumn(run: Run, config: Secret, sealed: SealedColumn): Promise<Resealed> {
  const { table, key, column, parts = [], batch = 500 } = sealed
  const named = [key, ...parts].join(', ')
  const done: Resealed = { rows: 0, resealed: 0 }
  for (let after = BEFORE_ALL; ;) {
    const { rows } = await run(
      `SELECT ${named}, ${column} AS content FROM ${table}
        WHERE ${column} IS NOT NULL AND ${key} > $1 ORDER BY ${key} LIMIT ${batch}`,
      [after],
    )
    for (const row of rows) if (await resealRow(run, config, sealed, row)) done.resealed += 1
    done.rows += rows.length
    if (rows.length < batch) return done
    after = rows.at(-1)?.[key] as string
  }
}

async function resealRow(
  run: Run,
  config: Secret,
  sealed: SealedColumn,
  row: Record<string, unknown>,
): Promise<boolean> {
  const { table, key, column, nameOf, alsoOf } = sealed
  const [name, before] = [nameOf(row as Row), row['content'] as Buffer]
  if (opens({ secret: config.secret }, name, before)) return false
  const content = unseal(config, name, before)
  const also = Object.entries(alsoOf?.({ secret: config.secret }, content) ?? {})
  const set = [column, ...also.map(([other]) => other)].map((other, index) => `${other} = $${index + 3}`)
  await run(`UPDATE ${table} SET ${set.join(', ')} WHERE ${key} = $1 AND ${column} = $2`, [
    row[key],
    before,
    seal(config, name, content),
    ...also.map(([, value]) => value),
  ])
  return true
}

function opens(secret: Secret, name: SealName, sealed: Buffer): boolean {
  try {
    unsealWith(secret, name, sealed)
    return true
  } catch {
    return false
  }
}
