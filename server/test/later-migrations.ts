import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const DIRECTORY = new URL('../platform/db/migrations/', import.meta.url)

/** Creates the migrations of a later version: the current ones and one more. The caller removes them. */
export function laterMigrations(name: string, sql: string): { directory: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'alder-migrations-'))
  cpSync(DIRECTORY, folder, { recursive: true })
  writeFileSync(join(folder, name), sql)
  return {
    directory: pathToFileURL(`${folder}/`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
