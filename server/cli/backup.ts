import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { readConfig } from '#server/bank/config.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { countLedger } from '#server/ledger/counts.ts'
import { backUp, endBackups, sizeOf } from '#server/platform/backup/base.ts'
import { readManifest } from '#server/platform/backup/folder.ts'
import { readPassphrase } from '#server/platform/backup/passphrase.ts'
import {
  adviseOnPgBackRest,
  DEFAULT_CONFIG,
  type PgBackRestOptions,
  STANZA,
} from '#server/platform/backup/pgbackrest.ts'
import { connectAsOwner } from '#server/platform/db/database-identity.ts'
import { runOn } from '#server/platform/db/run.ts'
import { findRunningCluster, passwordIn } from '#server/platform/db/embedded.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { secretIn } from '#server/platform/secrets/secret-file.ts'

const USAGE =
  'Usage: npm run backup -- DIR [--keep 7], npm run backup -- --off, or npm run backup -- DIR --pgbackrest [--keep 7] [--data FOLDER] [--config FILE]'
const KEPT = 7

type BackupArguments = {
  dir: string | null
  keep: number
  pgBackRest: Pick<PgBackRestOptions, 'data' | 'config'> | null
}

/** Reads the arguments. Throws StartError if they are invalid. */
function readArguments(): BackupArguments {
  try {
    const { values, positionals } = parseArgs({
      options: {
        keep: { type: 'string', default: String(KEPT) },
        off: { type: 'boolean', default: false },
        pgbackrest: { type: 'boolean', default: false },
        data: { type: 'string' },
        config: { type: 'string', default: DEFAULT_CONFIG },
      },
      allowPositionals: true,
    })
    const { keep, off, pgbackrest, data = null, config } = values
    const [dir] = positionals
    if (positionals.length !== (off ? 0 : 1) || (off && pgbackrest) || !/^[1-9]\d{0,3}$/.test(keep))
      throw new RangeError(USAGE)
    return {
      dir: dir === undefined ? null : resolve(dir),
      keep: Number(keep),
      pgBackRest: pgbackrest ? { data, config } : null,
    }
  } catch {
    throw new StartError(USAGE)
  }
}

/**
 * Prints pgBackRest's configuration and the remaining steps. Returns the exit code, which is 1 while PostgreSQL is not set up
 * for pgBackRest.
 */
async function configure(ownerUrl: string, options: PgBackRestOptions): Promise<number> {
  const client = await connectAsOwner(ownerUrl)
  try {
    const { configuration, settings, needsRestart } = await adviseOnPgBackRest(runOn(client), options)
    process.stdout.write(configuration)
    const pgBackRest = `pgbackrest --config=${options.config} --stanza=${STANZA}`
    const steps = [
      `Keep this as ${options.config}, readable only by PostgreSQL's user, and run as that user: ${pgBackRest} stanza-create`,
      ...(settings.length > 0
        ? [
            `As PostgreSQL's superuser, run these statements, and ${needsRestart ? 'restart' : 'reload'} PostgreSQL:\n${settings.join('\n')}`,
          ]
        : ['PostgreSQL is already set up.']),
      `Then, as PostgreSQL's user: ${pgBackRest} check, and every night: ${pgBackRest} backup`,
    ]
    console.error(steps.join('\n'))
    return settings.length === 0 ? 0 : 1
  } finally {
    await client.end()
  }
}

/**
 * `npm run backup`: backs up a running bank. From then on, the bank also archives its database log. `--off` ends the archiving.
 * `--pgbackrest` only prints the configuration for the operator's own PostgreSQL. Returns the exit code.
 */
async function main(): Promise<number> {
  const { dir, keep, pgBackRest } = readArguments()
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (pgBackRest && dir) {
    if (databaseUrl === null) throw new StartError('Set DATABASE_URL: the database in DATA_DIR needs no pgBackRest.')
    return configure(databaseUrl, { ...pgBackRest, dir, keep, passphrase: await readPassphrase(process.env) })
  }
  if (databaseUrl !== null)
    throw new StartError('DATABASE_URL names a PostgreSQL of your own: add --pgbackrest, as docs/operations.md says.')
  const { ownerUrl, config } = await findBank()
  const cluster = findRunningCluster(dataDir)
  if (!cluster) throw new StartError(`No bank is running on ${dataDir}; start one with npm start.`)
  if (dir === null) {
    await endBackups(cluster.superuserUrl, dataDir)
    console.log('The bank no longer keeps its log; the existing backups stay.')
    return 0
  }
  const passphrase = await readPassphrase(process.env)
  const path = await backUp({
    ...cluster,
    dir,
    dataDir,
    ownerUrl,
    keep,
    passphrase,
    secrets: { secret: config.secret, databasePassword: secretIn(passwordIn(dataDir)) },
    version: packageFile.version,
    count: countLedger,
  })
  const { consistentAt } = await readManifest(path)
  console.log(`Backed up to ${path} (${Math.ceil(sizeOf(path) / 1e6)} MB).`)
  console.log(`From ${consistentAt} on the bank can be restored to any moment; its log is copied every two seconds.`)
  return 0
}

await runCommand(main)
