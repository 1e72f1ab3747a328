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
  dataFolderIn,
  hasBackups,
  type Manifest,
  nextBase,
  readPosition,
  removeOldBases,
  type BackupOwner,
  writeManifest,
} from '#server/platform/backup/folder.ts'
import { type Secrets, sealSecrets } from '#server/platform/backup/sealed-secrets.ts'
import { readTarget, writeTarget } from '#server/platform/backup/target.ts'
import { readLsn } from '#server/platform/backup/wal.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export type BackupOptions = {
  /** The folder for the backup; created if missing. */
  dir: string
  /** The data folder of the running bank. `pgdata` is PostgreSQL's own folder in it. */
  dataDir: string
  pgdata: string
  superuserUrl: string
  /** The address of the bank's database for its owner. */
  ownerUrl: string
  secrets: Secrets
  passphrase: string
  version: string
  /** The number of copies to keep. */
  keep: number
  /** Counts rows by name. A restored bank must have at least these counts. */
  count(run: Run): Promise<Record<string, number>>
}

/** The key of the advisory lock. Its value is arbitrary, but must be the same in every Alder server. */
const BACKUP_LOCK = 4_117_203_314
/** The longest wait for the bank to copy the log up to the end of the backup, in milliseconds. */
const LOG_WITHIN_MS = 120_000
const LOOK_MS = 200

/**
 * Copies a database while the bank runs, and makes the bank archive its log from then on. Returns the path of the copy. An
 * incomplete copy does not count as a backup. Throws StartError if the backup is not finished.
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
    // If the folder of the last backup contains no backups, its disk is usually not mounted. A new folder at its path would
    // fill the wrong disk and hide the missing one.
    if (before === dir && !(await hasBackups(dir)))
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
    await removeOldBases(dir, options.keep, bank)
    return path
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The backup was not finished: ${(error as Error).message}. It cannot be restored.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Makes a copy and its manifest. After a failure, removes the incomplete copy, because the log needs the disk space. */
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
  // The error event is ignored, because the caller gets the error from its query.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function claim(dir: string, bank: BackupOwner): Promise<void> {
  try {
    await claimFolder(dir, bank)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${dir} must be a folder that can be written: ${(error as Error).message}.`)
  }
}

async function whoseIs(client: pg.Client): Promise<Omit<BackupOwner, 'line'>> {
  const { rows } = await client.query(
    `SELECT system_identifier::text AS "systemIdentifier", timeline_id AS timeline,
            (SELECT setting::int FROM pg_settings WHERE name = 'wal_segment_size') AS "segmentBytes"
       FROM pg_control_system(), pg_control_checkpoint()`,
  )
  return rows[0]
}

/** Makes PostgreSQL keep its log until the bank has copied it (archive.ts). */
async function keepLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1', [
    ARCHIVE_SLOT,
  ])
  if (rows[0]?.wal_status === 'lost') await client.query('SELECT pg_drop_replication_slot($1)', [ARCHIVE_SLOT])
  if (rows[0] && rows[0].wal_status !== 'lost') return
  await client.query('SELECT pg_create_physical_replication_slot($1, true)', [ARCHIVE_SLOT])
}

async function copy(client: pg.Client, options: BackupOptions, draft: string): Promise<Omit<Manifest, 'format'>> {
  const { rows: backupStart } = await client.query(
    `SELECT ${TIME} AS "startedAt", current_setting('server_version_num')::int AS postgres,
            pg_backup_start('alder', fast => true)::text AS "startLsn"`,
  )
  const data = dataFolderIn(draft)
  const { folders, files } = await copyFiles(options.pgdata, data)
  const knownFiles = await readKnown(options)
  const { rows: stopRows } = await client.query(
    'SELECT lsn::text AS "stopLsn", labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
  )
  const { rows: times } = await client.query(`SELECT ${TIME} AS "consistentAt"`)
  const { stopLsn, label } = stopRows[0]
  await logReaches(options.dir, stopLsn)
  await syncFolder(data)
  const secrets = await sealSecrets(options.secrets, options.passphrase)
  return {
    version: options.version,
    ...knownFiles,
    ...backupStart[0],
    stopLsn,
    label,
    ...times[0],
    folders,
    files,
    secrets,
  }
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

/**
 * Waits until the log is copied up to `lsn`, the end of the copy. The copy cannot be restored without that log. Throws
 * StartError if that takes too long.
 */
async function logReaches(dir: string, lsn: string): Promise<void> {
  const until = performance.now() + LOG_WITHIN_MS
  while (performance.now() < until) {
    const position = await readPosition(dir)
    if (position && readLsn(position.lsn) >= readLsn(lsn)) return
    await sleep(LOOK_MS)
  }
  throw new StartError(
    "The running bank does not copy its log, so the backup cannot be restored: see the bank's own log.",
  )
}

/**
 * The folders whose content is not copied. PostgreSQL creates the content again, or it is the log itself (PostgreSQL
 * documentation, 25.3.4).
 */
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
/** The control file. PostgreSQL's own backup also copies it last. */
const CONTROL = 'global/pg_control'

function listFiles(root: string): { folders: string[]; files: string[] } {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name))
    const [first = ''] = path.split('/')
    if (LEFT_OUT.test(entry.name) || (EMPTY_FOLDERS.has(first) && first !== path)) return []
    return [{ path, isFolder: entry.isDirectory(), isFile: entry.isFile() }]
  })
  const files = paths.filter(({ isFile, path }) => isFile && path !== CONTROL).map(({ path }) => path)
  const folders = paths.filter(({ isFolder }) => isFolder).map(({ path }) => path)
  // PostgreSQL needs these two folders in `pg_wal`.
  return { folders: [...folders, 'pg_wal/archive_status', 'pg_wal/summaries'].toSorted(), files: [...files, CONTROL] }
}

async function copyFiles(root: string, data: string): Promise<Pick<Manifest, 'folders' | 'files'>> {
  const { folders, files } = listFiles(root)
  const copiedFiles: Manifest['files'] = []
  let from = 0
  for (const path of files) {
    const copyResult = await copyFile(join(root, path), data)
    // A file that is missing by now was dropped. The log contains that drop.
    if (!copyResult) continue
    copiedFiles.push({ path, from, ...copyResult })
    from += copyResult.length
  }
  return { folders, files: copiedFiles }
}

/**
 * Appends a compressed file to `data`. PostgreSQL may write to the file meanwhile: replaying the log repairs torn pages.
 * Returns null if the file is missing.
 */
async function copyFile(path: string, data: string): Promise<Omit<Manifest['files'][number], 'path' | 'from'> | null> {
  const source = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!source) return null
  const { mode } = await source.stat()
  const hash = createHash('sha256')
  const target = createWriteStream(data, { flags: 'a', mode: 0o600 })
  await pipeline(source.createReadStream(), hashingStream(hash), createGzip({ level: constants.Z_BEST_SPEED }), target)
  return { digest: hash.digest('hex'), length: target.bytesWritten, mode: mode & 0o777 }
}

/** Updates a hash with all data that passes through the stream. */
export function hashingStream(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
}

/** Ends the backups: PostgreSQL no longer keeps the log for them. The files in the folder stay. */
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

/** Returns the size of all files in a folder, in bytes. */
export function sizeOf(dir: string): number {
  if (!existsSync(dir)) return 0
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
