import { ERRORS, Refusal } from '#contract/errors.ts'
import { type Config, readConfig } from '#server/bank/config.ts'
import { findRunning } from '#server/platform/db/embedded.ts'
import { type DatabaseClaim, servingUrl } from '#server/platform/db/database-identity.ts'
import { explainStartFailure } from '#server/platform/start-failure.ts'
import { StartError } from '#server/platform/process/start-error.ts'

type FoundBank = { config: Config; ownerUrl: string; /** The database address with the serving role. */ appUrl: string }

/**
 * Returns the bank that runs on the data folder of this computer, or the bank at DATABASE_URL. Throws StartError if no bank
 * runs there, or if the configuration belongs to another bank.
 */
export async function findBank(): Promise<FoundBank> {
  const config = readConfig(process.env)
  const ownerUrl = config.databaseUrl ?? findRunning(config.dataDir)
  if (!ownerUrl) throw new StartError(`No bank is running on ${config.dataDir}; start one with npm start.`)
  const claim = databaseClaimOf(config, ownerUrl)
  return {
    config,
    ownerUrl,
    appUrl: await servingUrl(claim),
  }
}

/** Returns the properties that a command requires of the database, from the configuration. */
export function databaseClaimOf(config: Config, ownerUrl: string): DatabaseClaim {
  const { mode, secret, earlierSecrets, nextSecret, timeZone, databaseUrl } = config
  return { ownerUrl, mode, secret, earlierSecrets, nextSecret, timeZone, embedded: databaseUrl === null }
}

/** Runs a command. The process ends with the returned code, or with 1 and the error if the command fails. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (error instanceof Refusal) console.error(ERRORS[error.code].message)
    else console.error(explainStartFailure(error) ?? error)
    process.exitCode = 1
  }
}
