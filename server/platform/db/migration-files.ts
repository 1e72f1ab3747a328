import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const DIRECTORY = new URL('./migrations/', import.meta.url)

export type Migration = {
  name: string
  sql: string
  digest: string
  /** The oldest level that can serve beside it; its own where it does not say. */
  compatibleFrom: number
}

/** The number that a migration's name begins with. The level of a version is that of its last migration. */
export const levelOf = (name: string): number => Number(name.slice(0, 4))

/** A level as files and sentences say it. */
export const levelText = (level: number): string => String(level).padStart(4, '0')

/** The migrations that this version brings, in order. `directory`: where else they are, for tests. */
export async function migrationNames(directory: URL = DIRECTORY): Promise<string[]> {
  return (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted()
}

/** The number and name of the last migration that this version brings: '0447_rail_event_contents'. */
export async function lastMigration(): Promise<string> {
  return (await migrationNames()).at(-1)?.replace(/\.sql$/, '') ?? ''
}

/** The level of this version. */
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

/** What a migration says of itself: 'compatible from: 0447' on its first line. Null where it says nothing. */
export function statedLevel(sql: string): number | null {
  const [, stated] = /^-- compatible from: (\d{4})\n/.exec(sql) ?? []
  return stated === undefined ? null : Number(stated)
}
