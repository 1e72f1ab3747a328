import { parseArgs } from 'node:util'
import { readConfig } from '#server/bank/config.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { databaseClaimOf, runCommand } from '#server/cli/command.ts'
import { startCluster } from '#server/platform/db/embedded.ts'
import { sqlForRoles } from '#server/platform/db/serving-role.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = 'Usage: npm run migrate [-- --sql]'

/**
 * `npm run migrate`: prepares the database with the owner role. Servers whose DATABASE_URL contains no user can then serve
 * without the owner's rights. `--sql` only prints SQL, which a user with the right to create roles must run before the
 * preparation. Returns the exit code.
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
    // While the secret is being changed, the earlier and the next secret are needed as well, because the owner creates a
    // serving role for the new secret.
    const url = await prepareDatabase(databaseClaimOf(config, ownerUrl), (sentence) => console.error(sentence))
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
