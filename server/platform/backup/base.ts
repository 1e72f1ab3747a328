import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import pg from 'pg'
import { ARCHIVE_SLOT, TIME } from '#server/platform/backup/archive.ts'
import { moveDurably, syncFolder } from '#server/platform/backup/durable.ts'
import {
  claimFolder,
  dataIn,
  isThere,
  type Manifest,
  nextBase,
  readPosition,
  removeOld,
  type Whose,
  writeManifest,
} from '#server/platform/backup/folder.ts'
import { type Secrets, sealSecrets } from '#server/platform/backup/sealing.ts'
import { readTarget, writeTarget } from '#server/platform/backup/target.ts'
import { readLsn } from '#server/platform/backup/wal.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export type BackupOptions = {
  /** Where to; made where it is missing. */
  dir: string
  /** Of the running bank, and in it PostgreSQL's own. */
  dataDir: string
  pgdata: string
  superuserUrl: string
  /** Of the bank's database, as its owner. */
  ownerUrl: string
  secrets: Secrets
  passphrase: string
  version: string
  /** How many copies are kept. */
  keep: number
  /** Counts what must not be fewer in a restored bank. */
  count(run: Run): Promise<Record<string, number>>
}

/** Any number will do, as long as every Alder takes the same lock. */
const BACKUP_LOCK = 4_117_203_312
/** How long the bank has to write the log as far as the copy needs it, in milliseconds. */
const LOG_WITHIN_MS = 120_000
const LOOK_MS = 200

/**
 * Copies a database while the bank runs, and has the bank keep its log from then on. Answers where the copy is. A copy
 * that is not whole is none. Throws StartError.
 */
export async function backUp(options: BackupOptions): Promise<string> {
  const dir = resolve(options.dir)
  if (!relative(options.pgdata, dir).startsWith('..'))
    throw new StartError(`${dir} is inside the folder that is backed up: name another one, best on another disk.`)
  const client = await connect(options.superuserUrl)
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS free', [BACKUP_LOCK])
    if (!rows[0].free) throw new StartError('Another backup of this bank is under way.')
    const { dir: before, line } = await readTarget(options.dataDir)
    // Most often its disk is away. Another folder in its place would fill the wrong disk, and nobody would miss this one.
    if (before === dir && !(await isThere(dir)))
      throw new StartError(
        `${dir} is not there, and the bank keeps its log in it: bring it back, or end its backups with npm run backup -- --off.`,
      )
    const bank = { ...(await whoseIs(client)), line }
    await claim(dir, bank)
    await keepLog(client)
    await writeTarget(options.dataDir, { dir, line })
    const { path, draft } = nextBase(dir)
    await makeWhole(draft, () => copy(client, { ...options, dir }, draft))
    await moveDurably(draft, path)
    await removeOld(dir, options.keep, bank)
    return path
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The backup was not finished: ${(error as Error).message}. It counts as none.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** What is not whole is removed: the log, which goes on, needs the room. */
async function makeWhole(draft: string, make: () => Promise<Omit<Manifest, 'format'>>): Promise<void> {
  try {
    mkdirSync(draft, { mode: 0o700 })
    await writeManifest(draft, await make())
    await syncFolder(draft)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'alder backup' })
  // Who asks it hears of it.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function claim(dir: string, bank: Whose): Promise<void> {
  try {
    await claimFolder(dir, bank)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${dir} must be a folder that can be written: ${(error as Error).message}.`)
  }
}

async function whoseIs(client: pg.Client): Promise<Omit<Whose, 'line'>> {
  const { rows } = await client.query(
    `SELECT system_identifier::text AS "systemIdentifier", timeline_id AS timeline,
            (SELECT setting::int FROM pg_settings WHERE name = 'wal_segment_size') AS "segmentBytes"
       FROM pg_control_system(), pg_control_checkpoint()`,
  )
  return rows[0]
}

/** Has PostgreSQL keep its log until the bank has copied it (archive.ts). */
async function keepLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1', [
    ARCHIVE_SLOT,
  ])
  if (rows[0]?.wal_status === 'lost') await client.query('SELECT pg_drop_replication_slot($1)', [ARCHIVE_SLOT])
  if (rows[0] && rows[0].wal_status !== 'lost') return
  await client.query('SELECT pg_create_physical_replication_slot($1, true)', [ARCHIVE_SLOT])
}

async function copy(client: pg.Client, options: BackupOptions, draft: string): Promise<Omit<Manifest, 'format'>> {
  const { rows: begun } = await client.query(
    `SELECT ${TIME} AS "startedAt", current_setting('server_version_num')::int AS postgres,
            pg_backup_start('alder', fast => true)::text AS "startLsn"`,
  )
  const data = dataIn(draft)
  const { folders, files } = await copyFiles(options.pgdata, data)
  const known = await readKnown(options)
  const { rows: ended } = await client.query(
    'SELECT lsn::text AS "stopLsn", labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
  )
  const { rows: times } = await client.query(`SELECT ${TIME} AS "consistentAt"`)
  const { stopLsn, label } = ended[0]
  await logReaches(options.dir, stopLsn)
  await syncFolder(data)
  const secrets = await sealSecrets(options.secrets, options.passphrase)
  return { version: options.version, ...known, ...begun[0], stopLsn, label, ...times[0], folders, files, secrets }
}

async function readKnown({ ownerUrl, count }: BackupOptions): Promise<Pick<Manifest, 'counts' | 'migrations'>> {
  const client = await connect(ownerUrl)
  try {
    const run = runOn(client)
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await run('SELECT name FROM bank.migration ORDER BY name')
    return { counts: await count(run), migrations: rows.map(({ name }) => name as string) }
  } finally {
    await client.end()
  }
}

/** The copy is worth nothing without the log up to its end. */
async function logReaches(dir: string, lsn: string): Promise<void> {
  const until = performance.now() + LOG_WITHIN_MS
  while (performance.now() < until) {
    const position = await readPosition(dir)
    if (position && readLsn(position.lsn) >= readLsn(lsn)) return
    await sleep(LOOK_MS)
  }
  throw new StartError(
    'The running bank does not copy its log, so the backup counts as none: look at what the bank says in its own log.',
  )
}

/** PostgreSQL makes these anew, or they are the log itself (its documentation, 25.3.4). */
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label.*|recovery\.signal|pg_internal\.init.*|pgsql_tmp.*|\.s\.PGSQL\..*)$/
/** What PostgreSQL itself copies last. */
const CONTROL = 'global/pg_control'

function listFiles(root: string): { folders: string[]; files: string[] } {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name))
    const [first = ''] = path.split('/')
    if (LEFT_OUT.test(entry.name) || (EMPTY_FOLDERS.has(first) && first !== path)) return []
    return [{ path, isFolder: entry.isDirectory(), isFile: entry.isFile() }]
  })
  const files = found.filter(({ isFile, path }) => isFile && path !== CONTROL).map(({ path }) => path)
  const folders = found.filter(({ isFolder }) => isFolder).map(({ path }) => path)
  // PostgreSQL wants these two in its log's folder as well.
  return { folders: [...folders, 'pg_wal/archive_status', 'pg_wal/summaries'].toSorted(), files: [...files, CONTROL] }
}

async function copyFiles(root: string, data: string): Promise<Pick<Manifest, 'folders' | 'files'>> {
  const { folders, files } = listFiles(root)
  const copied: Manifest['files'] = []
  let from = 0
  for (const path of files) {
    const one = await copyFile(join(root, path), data)
    // One that is gone by now was dropped, and the log says so.
    if (!one) continue
    copied.push({ path, from, ...one })
    from += one.length
  }
  return { folders, files: copied }
}

/** Appends a file, compressed. PostgreSQL may write to it meanwhile: the log mends what is torn by that. */
async function copyFile(path: string, data: string): Promise<Omit<Manifest['files'][number], 'path' | 'from'> | null> {
  const source = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!source) return null
  const { mode } = await source.stat()
  const hash = createHash('sha256')
  const target = createWriteStream(data, { flags: 'a', mode: 0o600 })
  await pipeline(source.createReadStream(), hashed(hash), createGzip({ level: constants.Z_BEST_SPEED }), target)
  return { digest: hash.digest('hex'), length: target.bytesWritten, mode: mode & 0o777 }
}

/** Takes note of what passes. */
export function hashed(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
}

/** Ends what backups there are: the log is no longer kept. What is in the folder stays. */
export async function endBackups(superuserUrl: string, dataDir: string): Promise<void> {
  const { line } = await readTarget(dataDir)
  await writeTarget(dataDir, { dir: null, line })
  const client = await connect(superuserUrl)
  try {
    await client.query(
      'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
      [ARCHIVE_SLOT],
    )
  } finally {
    await client.end()
  }
}

/** How much a folder holds, in bytes. */
export function sizeOf(dir: string): number {
  if (!existsSync(dir)) return 0
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
