import type { Run } from '#server/platform/db/run.ts'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** The name of the bank's database in pgBackRest's configuration. pgBackRest calls it a stanza. */
export const STANZA = 'alder'
/** The path from which pgBackRest reads its configuration by default. */
export const DEFAULT_CONFIG = '/etc/pgbackrest/pgbackrest.conf'

export type PgBackRestOptions = {
  /** The folder for the backups. */
  dir: string
  /** The number of full backups to keep. */
  keep: number
  passphrase: string
  /** The path for pgBackRest's configuration. */
  config: string
  /** The path of PostgreSQL's data folder. Null if the path must be read from PostgreSQL's settings. */
  data: string | null
}

export type PgBackRestAdvice = {
  /** The content of pgBackRest's configuration file. */
  configuration: string
  /** SQL statements that change PostgreSQL's settings. Only PostgreSQL's superuser may run them. */
  settings: string[]
  /** True if PostgreSQL must restart to apply the changed settings. False if a reload is enough. */
  needsRestart: boolean
}

/**
 * Returns pgBackRest's configuration for the operator's PostgreSQL, and the changes to PostgreSQL's settings that backups need.
 * Reads the settings as the owner of the database and changes nothing. Throws StartError if the owner may not read the path of
 * the data folder, or if an option is not valid in pgBackRest's configuration.
 */
export async function adviseOnPgBackRest(run: Run, options: PgBackRestOptions): Promise<PgBackRestAdvice> {
  const { rows } = await run(
    `SELECT current_setting('port') AS port, current_setting('wal_level') AS level, current_setting('archive_mode') AS mode,
            current_setting('archive_command') AS command, current_setting('archive_timeout') AS timeout`,
  )
  const { port, level, mode, command, timeout } = rows[0] as Record<
    'port' | 'level' | 'mode' | 'command' | 'timeout',
    string
  >
  const archiveCommand = `pgbackrest --config=${options.config} --stanza=${STANZA} archive-push "%p"`
  const restartSettings = [
    ...(level === 'minimal' ? [`ALTER SYSTEM SET wal_level = 'replica';`] : []),
    ...(mode === 'off' ? [`ALTER SYSTEM SET archive_mode = 'on';`] : []),
  ]
  const reloadSettings = [
    ...(command === archiveCommand
      ? []
      : [`ALTER SYSTEM SET archive_command = '${archiveCommand.replaceAll("'", "''")}';`]),
    // Without a timeout, PostgreSQL archives a log file only when the file is full. With few payments, that can take hours, and
    // no backup contains the payments in the meantime.
    ...(timeout === '0' ? [`ALTER SYSTEM SET archive_timeout = '60s';`] : []),
  ]
  return {
    configuration: configurationOf(options, { port, data: options.data ?? (await readDataFolder(run)) }),
    settings: [...restartSettings, ...reloadSettings],
    needsRestart: restartSettings.length > 0,
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

async function readDataFolder(run: Run): Promise<string> {
  try {
    const { rows } = await run(`SELECT current_setting('data_directory') AS data`)
    return rows[0]?.['data'] as string
  } catch (error) {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartError(
      'The owner in DATABASE_URL has no permission to read the path of PostgreSQL’s data folder. Add the path, for example: --data /var/lib/postgresql/17/main',
    )
  }
}

/**
 * Returns a value for pgBackRest's configuration. Throws StartError if the value has line breaks or spaces at its ends, because
 * the configuration has no quotation marks that could preserve them.
 */
function checkedValue(name: string, value: string): string {
  if (/[\r\n]/.test(value) || value.trim() !== value)
    throw new StartError(`${name} must be one line without spaces at its beginning or end.`)
  return value
}

const configurationOf = (
  { dir, keep, passphrase }: PgBackRestOptions,
  { port, data }: { port: string; data: string },
): string => `# Contains the passphrase. Give read permission only to the user that runs PostgreSQL.
[global]
repo1-path=${checkedValue('The folder', dir)}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${checkedValue('The passphrase', passphrase)}
repo1-retention-full=${keep}
compress-type=gz
start-fast=y
# If the backup disk is full or missing, pgBackRest drops the waiting log files above this size, so that they do not fill the
# database disk and stop the bank.
archive-push-queue-max=4GiB

[${STANZA}]
pg1-path=${checkedValue('PostgreSQL’s data folder', data)}
pg1-port=${port}
`
