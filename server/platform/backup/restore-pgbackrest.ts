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
  /** pgBackRest's configuration. */
  config: string
  /** Where PostgreSQL's programs are; null for Debian's place. */
  programs: string | null
  /** A new folder, for PostgreSQL and its socket. */
  folder: string
  /** The database that the bank is in. */
  database: string
  signal: AbortSignal
}

const PORT = 5432

/** Everything is its own: neither the folder nor the configuration of the running PostgreSQL is touched. */
const SETTINGS = {
  listen_addresses: '',
  // Its socket is named by it, and ALTER SYSTEM, which is in the backup, may have set another one.
  port: String(PORT),
  archive_mode: 'off',
  // Whoever connects sees all of the log.
  hot_standby: 'off',
  ssl: 'off',
  shared_preload_libraries: '',
  // A subscription would go on where the bank's own is.
  max_logical_replication_workers: '0',
  synchronous_standby_names: '',
  shared_buffers: '128MB',
  logging_collector: 'off',
}

/**
 * Restores pgBackRest's latest backup with all of its log into a folder of its own, opens it on a socket there, which only its owner
 * can enter, and hands a connection to `use`. Throws StartError where it cannot be restored.
 */
export async function restoreFromPgBackRest(
  { config, programs, folder, database, signal }: PgBackRestRestore,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const data = pgdataIn(folder)
  for (const path of [folder, data]) mkdirSync(path, { mode: 0o700 })
  const runner = findRunner(programIn(programs ?? newestPrograms(DEBIANS)), folder, data)
  for (const path of [folder, data]) give(runner, path)
  // Tablespaces too, which would else be restored to where those of the running PostgreSQL are.
  const places = [`--pg1-path=${data}`, `--tablespace-map-all=${join(folder, 'tablespaces')}`]
  await fromPgBackRest(runner, { config, signal }, ...places, '--archive-mode=off', 'restore')
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const program = programIn(programs ?? `${DEBIANS}/${version}/bin`)
  const files = { config_file: '', hba_file: 'local all all trust\n', ident_file: '' }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    chmodSync(join(folder, name), 0o600)
    give(runner, join(folder, name))
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

function give({ owner }: Runner, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

const DEBIANS = '/usr/lib/postgresql'

/**
 * Where the newest PostgreSQL's programs are. Only to ask who may run them: which version the backup is of, only its restored folder
 * says. One of which only the client is there has none.
 */
export function newestPrograms(debians: string): string {
  const versions = existsSync(debians) ? readdirSync(debians) : []
  const whole = versions.filter((version) => existsSync(join(debians, version, 'bin', 'postgres')))
  return join(debians, whole.toSorted((one, other) => Number(other) - Number(one))[0] ?? '', 'bin')
}

function programIn(folder: string): string {
  const program = join(folder, 'postgres')
  if (!existsSync(program)) throw new StartError(`There is no PostgreSQL in ${folder}: add --programs FOLDER.`)
  return program
}

type Asked = { config: string; signal: AbortSignal }

async function fromPgBackRest(runner: Runner, { config, signal }: Asked, ...args: string[]): Promise<void> {
  const {
    file,
    args: all,
    options,
  } = runner.command('pgbackrest', [`--config=${config}`, `--stanza=${STANZA}`, ...args])
  try {
    await run(file, all, { ...options, encoding: 'utf8', signal })
  } catch (error) {
    signal.throwIfAborted()
    const { stderr = '', stdout = '', message } = error as { stderr?: string; stdout?: string; message: string }
    const said = `${stderr}\n${stdout}`.split('\n').find((line) => line.includes('ERROR'))
    throw new StartError(`pgBackRest could not ${args.at(-1)}: ${said?.trim() ?? message}`)
  }
}

type Running = { program: string; data: string; settings: Record<string, string>; log: string; signal: AbortSignal }

async function whileRunning(
  runner: Runner,
  { program, data, settings, log, signal }: Running,
  work: (isRunning: () => boolean) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = runner.command(program, ['-D', data, ...set])
  const output = openSync(log, 'w', 0o600)
  const child = spawn(file, args, { ...options, stdio: ['ignore', output, output] })
  closeSync(output)
  const ended = once(child, 'exit').catch((error: unknown) => error)
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
    await ended
  }
}

type Address = { host: string; port: number; user: string; database: string }

const lastLine = (log: string): string => readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? ''

/**
 * A connection to a PostgreSQL that takes them once it has gone through the log, however long that takes; null where it has ended
 * instead.
 */
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
      // It starts, recovers, or has no socket yet.
      if (!['57P03', 'ENOENT', 'ECONNREFUSED'].includes(code)) throw error
      await sleep(200)
    }
  }
}
