import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const DIRECTORY = new URL('./migrations/', import.meta.url)

export type Migration = {
  name: string
  sql: string
  digest: string
  /** The oldest level that works with this migration. If the migration states none, it is the migration's own level. */
  compatibleFrom: number
}

/** Returns the number at the beginning of a migration's name. The level of a version is that of its last migration. */
export const levelOf = (name: string): number => Number(name.slice(0, 4))

/** Returns a level as four digits, for files and sentences. */
export const levelText = (level: number): string => String(level).padStart(4, '0')

/** Returns the names of this version's migrations in order. `directory`: another folder, for tests. */
export async function migrationNames(directory: URL = DIRECTORY): Promise<string[]> {
  return (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted()
}

/** Returns the number and name of this version's last migration: '0447_rail_event_contents'. */
export async function lastMigration(): Promise<string> {
  return (await migrationNames()).at(-1)?.replace(/\.sql$/, '') ?? ''
}

/** Returns the level of this version. */
export async function ownLevel(): Promise<number> {
  return levelOf((await migrationNames()).at(-1) ?? '0000')
}

export async function readMigrations(directory: URL = DIRECTORY): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(directory)).map(async (name) => {
      const sql = await readFile(new URL(name, directory), 'utf8')
      const digest = createHash('sha256').update(sql).digest('hex')
      return { name, sql, digest, compatibleFrom: statedLevel(sql) ?? levelOf(name) }
    }),
  )
}

/** Returns the level on a migration's first line, 'compatible from: 0447'. Returns null without one. */
export function statedLevel(sql: string): number | null {
  const [, stated] = /^-- compatible from: (\d{4})\n/.exec(sql) ?? []
  return stated === undefined ? null : Number(stated)
}
