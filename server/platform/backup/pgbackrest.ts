import type { Run } from '#server/platform/db/run.ts'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** What pgBackRest calls the bank's database. */
export const STANZA = 'alder'
export const USUAL_CONFIG = '/etc/pgbackrest/pgbackrest.conf'

export type PgBackRestOptions = {
  /** Where the backups go. */
  dir: string
  keep: number
  passphrase: string
  /** Where its configuration is to be. */
  config: string
  /** PostgreSQL's folder; null where PostgreSQL is to say. */
  data: string | null
}

export type Advice = {
  /** The content of pgBackRest's configuration. */
  file: string
  /** What PostgreSQL has to be set to, and is not, as SQL for its superuser. */
  settings: string[]
  /** Whether those need a restart. */
  needsRestart: boolean
}

/**
 * How pgBackRest is to back up the operator's PostgreSQL, and what is missing for that, as its owner sees it. Changes nothing.
 * Throws StartError.
 */
export async function adviseOn(run: Run, options: PgBackRestOptions): Promise<Advice> {
  const { rows } = await run(
    `SELECT current_setting('port') AS port, current_setting('wal_level') AS level, current_setting('archive_mode') AS mode,
            current_setting('archive_command') AS command, current_setting('archive_timeout') AS timeout`,
  )
  const { port, level, mode, command, timeout } = rows[0] as Record<
    'port' | 'level' | 'mode' | 'command' | 'timeout',
    string
  >
  const wanted = `pgbackrest --config=${options.config} --stanza=${STANZA} archive-push "%p"`
  const restart = [
    ...(level === 'minimal' ? [`ALTER SYSTEM SET wal_level = 'replica';`] : []),
    ...(mode === 'off' ? [`ALTER SYSTEM SET archive_mode = 'on';`] : []),
  ]
  const reload = [
    ...(command === wanted ? [] : [`ALTER SYSTEM SET archive_command = '${wanted.replaceAll("'", "''")}';`]),
    // Else what a quiet bank has written may be in no backup for hours.
    ...(timeout === '0' ? [`ALTER SYSTEM SET archive_timeout = '60s';`] : []),
  ]
  return {
    file: fileFor(options, { port, data: options.data ?? (await dataOf(run)) }),
    settings: [...restart, ...reload],
    needsRestart: restart.length > 0,
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

async function dataOf(run: Run): Promise<string> {
  try {
    const { rows } = await run(`SELECT current_setting('data_directory') AS data`)
    return rows[0]?.['data'] as string
  } catch (error) {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartError(
      'The owner in DATABASE_URL may not see where PostgreSQL keeps its data: add --data, as --data /var/lib/postgresql/17/main.',
    )
  }
}

/** Of a value in pgBackRest's configuration, which knows no quotes. Throws StartError. */
function plain(name: string, value: string): string {
  if (/[\r\n]/.test(value) || value.trim() !== value)
    throw new StartError(`${name} must be one line without spaces around it.`)
  return value
}

const fileFor = (
  { dir, keep, passphrase }: PgBackRestOptions,
  { port, data }: { port: string; data: string },
): string => `# Has the passphrase: for the user that PostgreSQL runs as, and nobody else.
[global]
repo1-path=${plain('The folder', dir)}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${plain('The passphrase', passphrase)}
repo1-retention-full=${keep}
compress-type=gz
start-fast=y
# A disk that is full, or a folder that is away, costs the backup and not the bank.
archive-push-queue-max=4GiB

[${STANZA}]
pg1-path=${plain('PostgreSQL’s folder', data)}
pg1-port=${port}
`
