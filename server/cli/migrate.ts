import { parseArgs } from 'node:util'
import { readConfig } from '#server/bank/config.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { claimOf, runCommand } from '#server/cli/command.ts'
import { startCluster } from '#server/platform/db/embedded.ts'
import { sqlForRoles } from '#server/platform/db/serving-role.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = 'Usage: npm run migrate [-- --sql]'

/**
 * `npm run migrate`: prepares the database as its owner, and ends. Servers whose DATABASE_URL names no user then serve on it
 * without the owner's rights. `--sql` prints what somebody who may make roles has to run before. Answers the exit code.
 */
async function main(): Promise<number> {
  const { sql } = readArguments()
  const config = readConfig(process.env)
  const { databaseUrl, dataDir, secret } = config
  if (sql) {
    process.stdout.write(sqlForRoles(databaseUrl, secret))
    return 0
  }
  const cluster = databaseUrl === null ? await startCluster({ dir: dataDir }) : null
  try {
    const ownerUrl = databaseUrl ?? cluster?.ownerUrl() ?? ''
    // With the other secrets of a change, too: it is the owner who makes the new serving role.
    const url = await prepareDatabase(claimOf(config, ownerUrl), (sentence) => console.error(sentence))
    console.log(`The database is prepared; the bank serves from it as ${new URL(url).username}.`)
    return 0
  } finally {
    await cluster?.stop()
  }
}

function readArguments(): { sql: boolean } {
  try {
    return parseArgs({ options: { sql: { type: 'boolean', default: false } } }).values
  } catch {
    throw new StartError(USAGE)
  }
}

await runCommand(main)
