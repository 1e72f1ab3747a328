import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { endPostmaster, isPostmasterOf, readPidFile, stopLeftover } from '#server/platform/db/embedded-postmaster.ts'
import { findPrograms, type PostgresPrograms } from '#server/platform/db/embedded-program.ts'
import { findRunner, type Runner } from '#server/platform/db/embedded-user.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { secretIn } from '#server/platform/secrets/secret-file.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** A PostgreSQL that this process runs, for as long as the process lives. */
export type EmbeddedCluster = {
  /** Returns the address of a database for its owner: the role that migrates, not a superuser. */
  ownerUrl(database?: string): string
  /** Returns the address for PostgreSQL's superuser, which backups need. */
  superuserUrl(): string
  /** PostgreSQL's data folder. */
  pgdata: string
  /** Stops PostgreSQL cleanly and unlocks the folder. */
  stop(): Promise<void>
}

export type ClusterOptions = {
  /** The data folder; created if missing. */
  dir: string
  /** Receives notable events: a stopped leftover, a crash and its restart. */
  onNotice?: (sentence: string) => void
  /** Settings that override `SETTINGS`. */
  settings?: Record<string, string>
  /** Another PostgreSQL than Alder's own, for tests. */
  programs?: PostgresPrograms
  /** The number of attempts for a start that may fail for a temporary reason. */
  tries?: number
  /** The password of the database, if no file of the folder contains it. */
  password?: string
}

/** The name of the bank's database. */
const DATABASE = 'alder'
const OWNER = 'alder_owner'
const SUPERUSER = 'postgres'

/** Settings for a small machine and for money: durable writes, and no statement text in the log. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  password_encryption: 'scram-sha-256',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  max_connections: '100',
  // A restored PostgreSQL is ready once it accepts writes.
  hot_standby: 'off',
  // If the backup's folder is missing, PostgreSQL keeps at most this much log for it.
  max_slot_wal_keep_size: '4GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * Starts PostgreSQL on a data folder and keeps it running until `stop`. Creates the database first if missing. Throws
 * StartError if another process has the folder, or if PostgreSQL cannot run.
 */
export async function startCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const lock = lockDataDir(options.dir)
  let postmaster: Postmaster | null = null
  const stop = async (): Promise<void> => {
    await postmaster?.stop()
    lock.release()
  }
  try {
    const running = (postmaster = await prepare(options))
    await running.start()
    await provide(running)
    return {
      ownerUrl: (database = DATABASE) => addressOf(running, OWNER, database),
      superuserUrl: () => addressOf(running, SUPERUSER, SUPERUSER),
      pgdata: running.pgdata,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Setup = {
  dir: string
  pgdata: string
  programs: PostgresPrograms
  runner: Runner
  password: string
  settings: Record<string, string>
  tries: number
  notice: (sentence: string) => void
}

async function prepare(options: ClusterOptions): Promise<Postmaster> {
  const dir = realpathSync(options.dir)
  const programs = options.programs ?? (await findPrograms())
  const pgdata = pgdataIn(dir)
  const runner = findRunner(programs.postgres, dir, pgdata)
  const notice = options.onNotice ?? (() => {})
  const setup: Setup = {
    dir,
    pgdata,
    programs,
    runner,
    password: options.password ?? secretIn(passwordIn(dir)),
    settings: { ...SETTINGS, ...options.settings },
    tries: options.tries ?? START_TRIES,
    notice,
  }
  if (!existsSync(setup.pgdata)) initialise(setup)
  if ((await stopLeftover(setup.pgdata)) === 'stopped')
    notice('Stopped the PostgreSQL that an earlier run left behind.')
  for (const name of readdirSync(pgdata)) if (name.startsWith('.s.PGSQL.')) rmSync(join(pgdata, name))
  writeFileSync(join(pgdata, 'pg_hba.conf'), LOCAL_ONLY)
  return supervise(setup)
}

/** Every user needs a password. Connections from other machines are refused. */
const LOCAL_ONLY = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'

/**
 * Matches folders whose path has no special characters and is short enough for a socket. Systems allow about 104 bytes,
 * including the socket's name.
 */
const SOCKET_FOLDER = /^[\w./-]{1,85}$/

/**
 * Returns the folder of PostgreSQL's socket: its own folder, which other users cannot enter. A socket costs a third less than
 * TCP on both sides. Returns null if the system has no sockets, or if the path is too long or has special characters.
 */
const socketFolder = (pgdata: string): string | null =>
  process.platform !== 'win32' && SOCKET_FOLDER.test(pgdata) ? pgdata : null

/** A locale that is the same on every machine, independent of the C library. */
const BUILTIN_LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Creates the data folder under another name and renames it once complete, so that an incomplete one is never used. */
function initialise({ dir, pgdata, programs, runner, password, settings }: Setup): void {
  const draft = `${pgdata}.new`
  const passwordFile = `${pgdata}.password`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (runner.owner) {
    chownSync(draft, runner.owner.uid, runner.owner.gid)
    chownSync(passwordFile, runner.owner.uid, runner.owner.gid)
  }
  try {
    const { file, args, options } = runner.command(programs.initdb, [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...(programs.locale ?? BUILTIN_LOCALE),
      '--data-checksums',
      ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
    ])
    const result = spawnSync(file, args, { ...options, encoding: 'utf8', stdio: 'pipe' })
    if (result.status !== 0) {
      const reason = result.error?.message ?? result.stderr.trim().split('\n').at(-1)
      throw new StartError(`PostgreSQL could not make its data folder in ${dir}: ${reason}.`)
    }
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(draft, pgdata)
}

type Postmaster = Setup & {
  port(): number
  start(): Promise<void>
  stop(): Promise<void>
}

/** Runs the postmaster, and restarts it after each unrequested end, with growing pauses. */
function supervise(setup: Setup): Postmaster {
  let port = 0
  let child: ChildProcess | null = null
  let isStopping = false

  /** Throws if PostgreSQL ends before it accepts connections. If it ends later, it is restarted. */
  const launch = async (): Promise<void> => {
    const launched = spawnPostmaster(setup, port)
    child = launched
    const exit = once(launched, 'exit').catch((error: unknown) => error)
    const childExit = exit.then(() => {
      if (child === launched) child = null
    })
    await untilReady(setup, launched, childExit)
    void childExit.then(() => (isStopping ? undefined : relaunch()))
  }
  const relaunch = async (): Promise<void> => {
    setup.notice('PostgreSQL ended unexpectedly; starting it again.')
    for (let pauseMs = 50; !isStopping; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        await launch()
        setup.notice('PostgreSQL is running again.')
        return
      } catch (error) {
        setup.notice((error as Error).message)
        await sleep(pauseMs)
      }
    }
  }
  const start = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      port = await freePort()
      try {
        return await launch()
      } catch (error) {
        // Another program may have taken the port since the check, or the last processes of a killed PostgreSQL may still be
        // ending. Both are temporary.
        if (tries >= setup.tries) throw error
        await sleep(START_PAUSE_MS)
      }
    }
  }
  const stop = async (): Promise<void> => {
    isStopping = true
    if (child?.pid) await endPostmaster(child.pid, () => child === null)
  }
  return { ...setup, port: () => port, start, stop }
}

const START_TRIES = 8
const START_PAUSE_MS = 250

function spawnPostmaster(setup: Setup, port: number): ChildProcess {
  const settings = { unix_socket_directories: socketFolder(setup.pgdata) ?? '', ...setup.settings, port }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = setup.runner.command(setup.programs.postgres, ['-D', setup.pgdata, ...flags])
  const log = openLog(postgresLogIn(setup.dir))
  try {
    // A detached process does not get Ctrl-C from the terminal. The bank's own shutdown comes first.
    return spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] })
  } finally {
    closeSync(log)
  }
}

/** Waits until a postmaster accepts connections. Throws StartError with the last line of its log if it ends first. */
async function untilReady({ dir, pgdata }: Setup, child: ChildProcess, childExit: Promise<void>): Promise<void> {
  for (;;) {
    const pidFile = readPidFile(pgdata)
    if (pidFile?.ready && pidFile.pid === child.pid) return
    if (await Promise.race([childExit.then(() => true), sleep(15, false)])) {
      throw new StartError(
        `PostgreSQL ended while starting; the last line of ${postgresLogIn(dir)}: ${lastLine(postgresLogIn(dir))}`,
      )
    }
  }
}

/**
 * Opens the log to append to it. A log of more than 4 MB is emptied first. Only warnings go into the log, so little is lost.
 */
function openLog(file: string): number {
  const large = existsSync(file) && statSync(file).size > 4 * 1024 * 1024
  return openSync(file, large ? 'w' : 'a', 0o600)
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? ''
}

/** Creates the owner role and the database if missing. Existing ones stay. */
async function provide(postmaster: Postmaster): Promise<void> {
  const client = new Client({ connectionString: addressOf(postmaster, SUPERUSER, SUPERUSER) })
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS owner,
              EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database`,
      [OWNER, DATABASE],
    )
    const password = client.escapeLiteral(postmaster.password)
    if (!rows[0].owner) await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD ${password}`)
    if (!rows[0].database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`)
  } finally {
    await client.end()
  }
}

/** Returns the owner's address of the database that a running bank keeps in its data folder; null if none is running. */
export const findRunning = (dir: string): string | null => findRunningAs(dir, OWNER, DATABASE)

/** Returns the superuser's address of the PostgreSQL of a running bank, with its folder; null if none is running. */
export function findRunningCluster(dir: string): (Pick<EmbeddedCluster, 'pgdata'> & { superuserUrl: string }) | null {
  const superuserUrl = findRunningAs(dir, SUPERUSER, SUPERUSER)
  return superuserUrl === null ? null : { superuserUrl, pgdata: realpathSync(pgdataIn(dir)) }
}

function findRunningAs(dir: string, user: string, database: string): string | null {
  const pidFile = readPidFile(pgdataIn(dir))
  const passwordFile = passwordIn(dir)
  if (!pidFile?.ready || !existsSync(passwordFile) || !isPostmasterOf(pidFile.pid, pgdataIn(dir))) return null
  const pgdata = realpathSync(pgdataIn(dir))
  // A PostgreSQL that an older version started has no socket.
  const hasSocket = existsSync(join(pgdata, `.s.PGSQL.${pidFile.port}`))
  return address({
    folder: hasSocket ? socketFolder(pgdata) : null,
    user,
    password: secretIn(passwordFile),
    port: pidFile.port,
    database,
  })
}

export const pgdataIn = (dir: string): string => join(dir, 'postgres')
export const postgresLogIn = (dir: string): string => join(dir, 'postgres.log')
export const passwordIn = (dir: string): string => join(dir, 'database-password')

function addressOf({ port, password, pgdata }: Postmaster, user: string, database: string): string {
  return address({ user, password, folder: socketFolder(pgdata), port: port(), database })
}

/** `folder`: the folder of the socket; null for TCP. */
type Address = { user: string; password: string; folder: string | null; port: number; database: string }

function address({ user, password, folder, port, database }: Address): string {
  const host = encodeURIComponent(folder ?? '127.0.0.1')
  return `postgres://${user}:${password}@${host}:${port}/${database}`
}

/**
 * Returns the user that PostgreSQL runs as on a folder, so that a caller can give its files to that user. Null for the user of
 * this process.
 */
export async function ownerOn(dir: string): Promise<Runner['owner']> {
  const { postgres } = await findPrograms()
  return findRunner(postgres, realpathSync(dir), pgdataIn(dir)).owner
}

/** Waits until all of PostgreSQL's folder is safe on the disk. Throws StartError if that fails. */
export async function syncCluster(dir: string): Promise<void> {
  const { initdb, postgres } = await findPrograms()
  const runner = findRunner(postgres, realpathSync(dir), pgdataIn(dir))
  const { file, args, options } = runner.command(initdb, ['--sync-only', `--pgdata=${pgdataIn(realpathSync(dir))}`])
  const { status, stderr } = spawnSync(file, args, { ...options, encoding: 'utf8', stdio: 'pipe' })
  if (status !== 0) throw new StartError(`PostgreSQL could not write its folder to the disk: ${stderr.trim()}.`)
}
