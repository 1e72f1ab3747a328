import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { STANZA } from '#server/platform/backup/pgbackrest.ts'
import { pgdataIn } from '#server/platform/db/embedded.ts'
import { findRunner, type Runner } from '#server/platform/db/embedded-user.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const run = promisify(execFile)

export type PgBackRestRestore = {
  /** The path of pgBackRest's configuration. */
  config: string
  /** The folder of PostgreSQL's programs; null for Debian's folder. */
  programs: string | null
  /** A new folder for PostgreSQL's data and its socket. */
  folder: string
  /** The name of the bank's database. */
  database: string
  signal: AbortSignal
}

const PORT = 5432

/** Settings that keep the restored PostgreSQL apart from the folder and the configuration of the running one. */
const SETTINGS = {
  listen_addresses: '',
  // The port is part of the socket's name. An ALTER SYSTEM in the backup may have set another port.
  port: String(PORT),
  archive_mode: 'off',
  // A client can connect only after the whole log is replayed.
  hot_standby: 'off',
  ssl: 'off',
  shared_preload_libraries: '',
  // A subscription in the backup would continue in place of the running bank's subscription.
  max_logical_replication_workers: '0',
  synchronous_standby_names: '',
  shared_buffers: '128MB',
  logging_collector: 'off',
}

/**
 * Restores pgBackRest's latest backup with all of its log into a separate folder. Opens it on a socket there, which only the
 * owner of the folder can reach, and passes a connection to `use`. Throws StartError if the restore fails.
 */
export async function restoreFromPgBackRest(
  { config, programs, folder, database, signal }: PgBackRestRestore,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const data = pgdataIn(folder)
  for (const path of [folder, data]) mkdirSync(path, { mode: 0o700 })
  const runner = findRunner(programIn(programs ?? newestPrograms(DEBIANS)), folder, data)
  for (const path of [folder, data]) giveToOwner(runner, path)
  // Tablespaces are mapped as well: otherwise they would overwrite those of the running PostgreSQL.
  const places = [`--pg1-path=${data}`, `--tablespace-map-all=${join(folder, 'tablespaces')}`]
  await fromPgBackRest(runner, { config, signal }, ...places, '--archive-mode=off', 'restore')
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const program = programIn(programs ?? `${DEBIANS}/${version}/bin`)
  const files = { config_file: '', hba_file: 'local all all trust\n', ident_file: '' }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    chmodSync(join(folder, name), 0o600)
    giveToOwner(runner, join(folder, name))
  }
  const settings = {
    ...SETTINGS,
    unix_socket_directories: folder,
    ...Object.fromEntries(Object.keys(files).map((name) => [name, join(folder, name)])),
  }
  const log = join(folder, 'postgres.log')
  await whileRunning(runner, { program, data, settings, log, signal }, async (isRunning) => {
    const client = await connected({ host: folder, port: PORT, user: 'postgres', database }, isRunning)
    if (!client) throw new StartError(`PostgreSQL could not go through the log of the backup: ${lastLine(log)}.`)
    try {
      await use(client)
    } finally {
      await client.end()
    }
  })
}

function giveToOwner({ owner }: Runner, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

const DEBIANS = '/usr/lib/postgresql'

/**
 * Returns the folder of the newest installed PostgreSQL server. It only serves to find the user who may run the programs: the
 * version of the backup is known after the restore. A folder with the client alone is skipped.
 */
export function newestPrograms(debians: string): string {
  const versions = existsSync(debians) ? readdirSync(debians) : []
  const wholeVersions = versions.filter((version) => existsSync(join(debians, version, 'bin', 'postgres')))
  return join(
    debians,
    wholeVersions.toSorted((version, otherVersion) => Number(otherVersion) - Number(version))[0] ?? '',
    'bin',
  )
}

function programIn(folder: string): string {
  const program = join(folder, 'postgres')
  if (!existsSync(program)) throw new StartError(`There is no PostgreSQL in ${folder}: add --programs FOLDER.`)
  return program
}

type PgBackRestRequest = { config: string; signal: AbortSignal }

async function fromPgBackRest(runner: Runner, { config, signal }: PgBackRestRequest, ...args: string[]): Promise<void> {
  const {
    file,
    args: commandArgs,
    options,
  } = runner.command('pgbackrest', [`--config=${config}`, `--stanza=${STANZA}`, ...args])
  try {
    await run(file, commandArgs, { ...options, encoding: 'utf8', signal })
  } catch (error) {
    signal.throwIfAborted()
    const { stderr = '', stdout = '', message } = error as { stderr?: string; stdout?: string; message: string }
    const errorLine = `${stderr}\n${stdout}`.split('\n').find((line) => line.includes('ERROR'))
    throw new StartError(`pgBackRest could not ${args.at(-1)}: ${errorLine?.trim() ?? message}`)
  }
}

type PostgresProcess = {
  program: string
  data: string
  settings: Record<string, string>
  log: string
  signal: AbortSignal
}

async function whileRunning(
  runner: Runner,
  { program, data, settings, log, signal }: PostgresProcess,
  work: (isRunning: () => boolean) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = runner.command(program, ['-D', data, ...settingArgs])
  const output = openSync(log, 'w', 0o600)
  const child = spawn(file, args, { ...options, stdio: ['ignore', output, output] })
  closeSync(output)
  const exit = once(child, 'exit').catch((error: unknown) => error)
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null && child.pid !== undefined
  const end = (): void => void (isRunning() && child.kill('SIGINT'))
  signal.addEventListener('abort', end)
  try {
    await work(isRunning)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    end()
    await exit
  }
}

type Address = { host: string; port: number; user: string; database: string }

const lastLine = (log: string): string => readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? ''

/** Connects to a PostgreSQL once it has replayed its log, however long that takes. Returns null if PostgreSQL ended instead. */
async function connected(address: Address, isRunning: () => boolean): Promise<pg.Client | null> {
  for (;;) {
    const client = new pg.Client(address)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      if (!isRunning()) return null
      const { code = '' } = error as { code?: string }
      // PostgreSQL is starting, is recovering or has no socket yet.
      if (!['57P03', 'ENOENT', 'ECONNREFUSED'].includes(code)) throw error
      await sleep(200)
    }
  }
}
