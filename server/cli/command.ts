import { ERRORS, Refusal } from '#contract/errors.ts'
import { type Config, readConfig } from '#server/bank/config.ts'
import { findRunning } from '#server/platform/db/embedded.ts'
import { type Claim, servingUrl } from '#server/platform/db/record.ts'
import { sentenceOf } from '#server/platform/failed-start.ts'
import { StartError } from '#server/platform/process/start-error.ts'

type FoundBank = { config: Config; ownerUrl: string; /** For the role that serves. */ appUrl: string }

/**
 * The bank that runs on this computer's folder, or the one that DATABASE_URL names. Throws StartError where none runs, or
 * the configuration is not that bank's.
 */
export async function findBank(): Promise<FoundBank> {
  const config = readConfig(process.env)
  const ownerUrl = config.databaseUrl ?? findRunning(config.dataDir)
  if (!ownerUrl) throw new StartError(`No bank is running on ${config.dataDir}; start one with npm start.`)
  const claim = claimOf(config, ownerUrl)
  return {
    config,
    ownerUrl,
    appUrl: await servingUrl(claim),
  }
}

/** What a command takes the database to be. */
export function claimOf(config: Config, ownerUrl: string): Claim {
  const { mode, secret, earlierSecrets, nextSecret, timeZone, databaseUrl } = config
  return { ownerUrl, mode, secret, earlierSecrets, nextSecret, timeZone, embedded: databaseUrl === null }
}

/** Runs a command: the process ends with the code that it answers, or with 1 and the error where it fails. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (error instanceof Refusal) console.error(ERRORS[error.code].message)
    else console.error(sentenceOf(error) ?? error)
    process.exitCode = 1
  }
}
