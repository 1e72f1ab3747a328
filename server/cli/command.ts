import { ERRORS, Refusal } from '#contract/errors.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { findRunning } from '#server/platform/db/embedded.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** The bank that runs on this computer's folder, or the one that DATABASE_URL names. Throws StartError where none runs. */
export function findBank(): { config: Config; ownerUrl: string } {
  const config = readConfig(process.env)
  const ownerUrl = config.databaseUrl ?? findRunning(config.dataDir)
  if (!ownerUrl) throw new StartError(`No bank is running on ${config.dataDir}; start one with npm start.`)
  return { config, ownerUrl }
}

/** Runs a command: the process ends with the code that it answers, or with 1 and the error where it fails. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (error instanceof Refusal) console.error(ERRORS[error.code].message)
    else console.error(error instanceof StartError ? error.message : error)
    process.exitCode = 1
  }
}
