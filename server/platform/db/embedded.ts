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
import { findPrograms, type Programs } from '#server/platform/db/embedded-program.ts'
import { findRunner, type Runner } from '#server/platform/db/embedded-user.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { secretIn } from '#server/platform/secrets/secret-file.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** A PostgreSQL of our own, running for as long as this process does. */
export type Cluster = {
  /** The address of a database for its owner: the role that migrates, not a superuser. */
  ownerUrl(database?: string): string
  /** The same for PostgreSQL's own user, who may do everything: what backups need. */
  superuserUrl(): string
  /** PostgreSQL's own folder. */
  pgdata: string
  /** Stops PostgreSQL cleanly and lets the folder go. */
  stop(): Promise<void>
}

export type ClusterOptions = {
  /** The data folder; made where it is missing. */
  dir: string
  /** Told when something is worth telling: a leftover stopped, a crash and its restart. */
  onNotice?: (sentence: string) => void
  /** Settings that differ from SETTINGS. */
  settings?: Record<string, string>
  /** Another PostgreSQL than the one that comes with Alder, for tests. */
  programs?: Programs
  /** How often a start is tried that may fail for a reason that passes. */
  tries?: number
  /** Of the database, where it is in no file of the folder. */
  password?: string
}

/** The database that the bank lives in. */
const DATABASE = 'alder'
const OWNER = 'alder_owner'
const SUPERUSER = 'postgres'

/** For a small machine, and for money: durable, no statement text in the log. */
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
  // One that is being restored is ready once it takes writes.
  hot_standby: 'off',
  // A backup whose folder is away keeps the log from being removed until it has so much.
  max_slot_wal_keep_size: '4GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * Starts PostgreSQL on a data folder, having made the database first where there is none, and keeps it running
 * until `stop`. Throws StartError when another process has the folder, or PostgreSQL cannot be run.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
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
  programs: Programs
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

/** Everybody needs a password, and nobody comes from elsewhere. */
const LOCAL_ONLY = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'

/** What the path of a socket may have, with room for its name: systems allow some 104 bytes. */
const SOCKET_FOLDER = /^[\w./-]{1,85}$/

/**
 * Where PostgreSQL's socket is: in its own folder, which nobody else may enter. It costs a third less than TCP, on both
 * sides. Null where the system has none, or the path is too long for one.
 */
const socketFolder = (pgdata: string): string | null =>
  process.platform !== 'win32' && SOCKET_FOLDER.test(pgdata) ? pgdata : null

/** The same on every machine, whatever its C library knows. */
const BUILTIN_LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Makes the data folder beside its place and moves it there when whole, so that a half-made one never counts. */
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

/** Runs the postmaster, and runs it again, less and less eagerly, whenever it ends without being asked to. */
function supervise(setup: Setup): Postmaster {
  let port = 0
  let child: ChildProcess | null = null
  let stopping = false

  /** Throws when PostgreSQL ends before it takes connections; when it ends later it is run again. */
  const launch = async (): Promise<void> => {
    const launched = spawnPostmaster(setup, port)
    child = launched
    const ended = once(launched, 'exit').catch((error: unknown) => error)
    const gone = ended.then(() => {
      if (child === launched) child = null
    })
    await untilReady(setup, launched, gone)
    void gone.then(() => (stopping ? undefined : relaunch()))
  }
  const relaunch = async (): Promise<void> => {
    setup.notice('PostgreSQL ended unexpectedly; starting it again.')
    for (let pauseMs = 50; !stopping; pauseMs = Math.min(pauseMs * 2, 5000)) {
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
        // Another program may have taken the port since we looked, or the last processes of a killed PostgreSQL may
        // still be leaving; both pass.
        if (tries >= setup.tries) throw error
        await sleep(START_PAUSE_MS)
      }
    }
  }
  const stop = async (): Promise<void> => {
    stopping = true
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
  const log = openLog(logIn(setup.dir))
  try {
    // Detached, so that Ctrl-C in a terminal reaches our own shutdown first and not PostgreSQL under it.
    return spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] })
  } finally {
    closeSync(log)
  }
}

/** Waits until a postmaster takes connections. Throws StartError with the last line of its log if it ends first. */
async function untilReady({ dir, pgdata }: Setup, child: ChildProcess, gone: Promise<void>): Promise<void> {
  for (;;) {
    const found = readPidFile(pgdata)
    if (found?.ready && found.pid === child.pid) return
    if (await Promise.race([gone.then(() => true), sleep(15, false)])) {
      throw new StartError(`PostgreSQL ended while starting; the last line of ${logIn(dir)}: ${lastLine(logIn(dir))}`)
    }
  }
}

/** The log of this run and the one before is enough; warnings alone go into it. */
function openLog(file: string): number {
  const large = existsSync(file) && statSync(file).size > 4 * 1024 * 1024
  return openSync(file, large ? 'w' : 'a', 0o600)
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? ''
}

/** Makes sure of the owning role and the database; whatever is there already stays. */
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

/** The owner's address of the database that a running bank keeps in its data folder; null where none is running. */
export const findRunning = (dir: string): string | null => findRunningAs(dir, OWNER, DATABASE)

/** The same for PostgreSQL's own user, with PostgreSQL's own folder. */
export function findRunningCluster(dir: string): (Pick<Cluster, 'pgdata'> & { superuserUrl: string }) | null {
  const superuserUrl = findRunningAs(dir, SUPERUSER, SUPERUSER)
  return superuserUrl === null ? null : { superuserUrl, pgdata: realpathSync(pgdataIn(dir)) }
}

function findRunningAs(dir: string, user: string, database: string): string | null {
  const found = readPidFile(pgdataIn(dir))
  const passwordFile = passwordIn(dir)
  if (!found?.ready || !existsSync(passwordFile) || !isPostmasterOf(found.pid, pgdataIn(dir))) return null
  const pgdata = realpathSync(pgdataIn(dir))
  // One that an older version started has no socket.
  const hasSocket = existsSync(join(pgdata, `.s.PGSQL.${found.port}`))
  return address({
    folder: hasSocket ? socketFolder(pgdata) : null,
    user,
    password: secretIn(passwordFile),
    port: found.port,
    database,
  })
}

export const pgdataIn = (dir: string): string => join(dir, 'postgres')
export const logIn = (dir: string): string => join(dir, 'postgres.log')
export const passwordIn = (dir: string): string => join(dir, 'database-password')

function addressOf({ port, password, pgdata }: Postmaster, user: string, database: string): string {
  return address({ user, password, folder: socketFolder(pgdata), port: port(), database })
}

/** `folder`: of the socket; null for TCP. */
type Address = { user: string; password: string; folder: string | null; port: number; database: string }

function address({ user, password, folder, port, database }: Address): string {
  const host = encodeURIComponent(folder ?? '127.0.0.1')
  return `postgres://${user}:${password}@${host}:${port}/${database}`
}

/** Who PostgreSQL runs as on a folder, so that who puts files there can give them to it; null for the one we run as. */
export async function ownerOn(dir: string): Promise<Runner['owner']> {
  const { postgres } = await findPrograms()
  return findRunner(postgres, realpathSync(dir), pgdataIn(dir)).owner
}

/** Waits until all of PostgreSQL's folder is safe on the disk. Throws StartError. */
export async function syncCluster(dir: string): Promise<void> {
  const { initdb, postgres } = await findPrograms()
  const runner = findRunner(postgres, realpathSync(dir), pgdataIn(dir))
  const { file, args, options } = runner.command(initdb, ['--sync-only', `--pgdata=${pgdataIn(realpathSync(dir))}`])
  const { status, stderr } = spawnSync(file, args, { ...options, encoding: 'utf8', stdio: 'pipe' })
  if (status !== 0) throw new StartError(`PostgreSQL could not write its folder to the disk: ${stderr.trim()}.`)
}
