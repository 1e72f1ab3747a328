import { createHash } from 'node:crypto'
import {
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { hashingStream } from '#server/platform/backup/base.ts'
import { moveDurably, syncFolder } from '#server/platform/backup/durable.ts'
import {
  dataFolderIn,
  hexDigestOf,
  findPartialSegments,
  logFolderIn,
  type Manifest,
  type LogPosition,
  readManifest,
  readPosition,
  readBackupOwner,
  findCompleteBases,
  findCompleteSegments,
  type BackupOwner,
} from '#server/platform/backup/folder.ts'
import { openSecrets, type Secrets } from '#server/platform/backup/sealed-secrets.ts'
import { readLsn, segmentName, segmentOf } from '#server/platform/backup/wal.ts'
import {
  type EmbeddedCluster,
  postgresLogIn,
  ownerOn,
  passwordIn,
  pgdataIn,
  startCluster,
  syncCluster,
} from '#server/platform/db/embedded.ts'
import { type DataLock, lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { stopLeftover } from '#server/platform/db/embedded-postmaster.ts'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** A moment with PostgreSQL's precision, microseconds; null for the last moment in the backup. */
export type RestoreTarget = Temporal.Instant | null

/** The copy and the part of the log that restore a moment. */
export type RestorePlan = {
  bank: BackupOwner
  base: string
  manifest: Manifest
  position: LogPosition
  at: RestoreTarget
  segments: Segment[]
  /**
   * The name of the first missing log file; null if no file is missing. Only PostgreSQL can find out whether the moment is
   * before that file.
   */
  gap: string | null
}

/** A log file, complete or up to the last copied byte. */
type Segment = { name: string; path: string; digest: string; bytes: number; isWhole: boolean }

/** Finds the copy and the log that restore a moment. Throws StartError if there are none. */
export async function planRestore(dir: string, target: RestoreTarget): Promise<RestorePlan> {
  if (!existsSync(dir)) throw new StartError(`${dir} is no folder of backups.`)
  const bank = await readBackupOwner(dir)
  const bases = await Promise.all(
    findCompleteBases(dir).map(async ({ path }) => ({ path, manifest: await readManifest(path) })),
  )
  const position = await readPosition(dir)
  const [oldestBase] = bases
  if (!position || !oldestBase) throw new StartError(`There is no complete backup in ${dir}.`)
  if (target && isAfter(target, position.at))
    throw new StartError(`The backup in ${dir} goes up to ${position.at}; name a time before, or latest.`)
  const index = bases.findLastIndex(({ manifest }) => !target || !isAfter(manifest.consistentAt, target))
  const base = bases[index]
  if (!base)
    throw new StartError(
      `The oldest backup in ${dir} is of ${oldestBase.manifest.consistentAt}; name a time after that.`,
    )
  // The log before a later copy contains everything that was committed before that copy began.
  const laterBase = target && bases.slice(index + 1).find(({ manifest }) => isAfter(manifest.startedAt, target))
  const end = laterBase ? laterBase.manifest.startLsn : position.lsn
  const { segments, gap } = segmentsBetween(dir, bank, { from: base.manifest.startLsn, to: end, position })
  if (gap !== null && !target) throw gapError(dir, gap)
  return { bank, base: base.path, manifest: base.manifest, position, at: target, segments, gap }
}

const isAfter = (time: Temporal.Instant | string, otherTime: Temporal.Instant | string): boolean =>
  Temporal.Instant.compare(time, otherTime) > 0

type Stretch = { from: string; to: string; position: LogPosition }

const gapError = (dir: string, gap: string): StartError =>
  new StartError(`The backup in ${dir} lacks a part of its log, ${gap}: restore to a time before or after the gap.`)

/** Returns the log files up to the first gap, and the name of the file in which the gap begins. */
function segmentsBetween(
  dir: string,
  bank: BackupOwner,
  { from: firstLsn, to: lastLsn, position }: Stretch,
): Pick<RestorePlan, 'segments' | 'gap'> {
  const wholeSegments = findCompleteSegments(dir)
  const partialSegments = findPartialSegments(dir)
  const segments: Segment[] = []
  const last = segmentOf(readLsn(lastLsn), bank)
  for (let segment = segmentOf(readLsn(firstLsn), bank); segment <= last; segment += 1) {
    const name = segmentName(segment, bank)
    const wholeSegment = wholeSegments.get(name)
    const partialSegment = partialSegments.get(name)
    const { begun } = position
    if (wholeSegment) segments.push({ name, ...wholeSegment, bytes: bank.segmentBytes, isWhole: true })
    else if (begun?.file.startsWith(name))
      segments.push({ name, ...begun, path: join(logFolderIn(dir), begun.file), isWhole: false })
    // The rest of this segment went to another folder, so a gap begins in it.
    else if (partialSegment) return { segments: [...segments, { name, ...partialSegment, isWhole: false }], gap: name }
    // The last segment may have no bytes yet: then no gap begins there.
    else if (readLsn(position.lsn) % BigInt(bank.segmentBytes) !== 0n || segment !== last)
      return { segments: segments, gap: name }
  }
  return { segments: segments, gap: null }
}

export type RestoreOptions = {
  plan: RestorePlan
  passphrase: string
  /** The destination folder: missing or empty. */
  to: string
  /** Prepares the restored bank before it can be opened. `until` is the last moment that the bank contains. */
  prepare(cluster: EmbeddedCluster, until: string): Promise<void>
  /** Aborted with a StartError if the operator stops the restore. The database of the restore is stopped then. */
  signal: AbortSignal
}

/** Restores a bank into a new folder, which gets its final name once it is complete. Throws StartError. */
export async function restore({ to: destination, ...options }: RestoreOptions): Promise<void> {
  const room = `${destination}.restoring`
  const lock = takeRoom(room, destination)
  const draft = join(room, 'bank')
  try {
    // A killed earlier attempt may have left its files and a running database.
    if (existsSync(pgdataIn(draft))) await stopLeftover(pgdataIn(draft))
    await rm(draft, { recursive: true, force: true })
    const secrets = await restoreInto(draft, options)
    // The secrets are written last, so that a killed attempt leaves none.
    writeFileSync(join(draft, 'secret'), `${secrets.secret}\n`, { mode: 0o600 })
    writeFileSync(passwordIn(draft), `${secrets.databasePassword}\n`, { mode: 0o600 })
    await syncCluster(draft)
    for (const name of ['lock', 'postgres.log']) await rm(join(draft, name), { force: true })
    await syncFolder(draft)
    // The rename replaces an empty folder.
    await moveDurably(draft, destination)
  } finally {
    await rm(room, { recursive: true, force: true })
    lock.release()
  }
}

/** Locks the destination: two restores to the same place would write the same files. Throws StartError. */
function takeRoom(room: string, destination: string): DataLock {
  try {
    return lockDataDir(room)
  } catch (error) {
    if (error instanceof StartError && existsSync(join(room, 'server.pid')))
      throw new StartError(`Another restore to ${destination} is under way.`)
    throw error
  }
}

/**
 * Restores a bank into a folder and returns the bank's secrets. The folder is usable once this function has returned; it does
 * not contain the secrets.
 */
export async function restoreInto(
  draft: string,
  { plan, passphrase, prepare, signal }: Omit<RestoreOptions, 'to'>,
): Promise<Secrets> {
  const secrets = await openSecrets(plan.manifest.secrets, passphrase)
  makeFolder(draft, 0o711)
  await layOut(draft, plan, signal)
  const cluster = await whileGoing(
    signal,
    () => stopLeftover(pgdataIn(draft)),
    () => recover(draft, plan, secrets.databasePassword),
  )
  try {
    await whileGoing(signal, cluster.stop, () => prepare(cluster, plan.at?.toString() ?? plan.position.at))
    return secrets
  } finally {
    await cluster.stop()
  }
}

/** Does the work. If `signal` is aborted, calls `end`, which stops the database and makes the work fail. */
async function whileGoing<Result>(
  signal: AbortSignal,
  end: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const onAbort = (): void => void end()
  signal.addEventListener('abort', onAbort)
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function layOut(
  draft: string,
  { base, manifest, bank, segments }: RestorePlan,
  signal: AbortSignal,
): Promise<void> {
  const owner = await ownerOn(draft)
  const root = pgdataIn(draft)
  const giveToOwner = (path: string): void => {
    if (owner) chownSync(path, owner.uid, owner.gid)
  }
  for (const path of ['', ...manifest.folders]) {
    mkdirSync(join(root, path), { mode: 0o700 })
    giveToOwner(join(root, path))
  }
  for (const file of manifest.files) {
    signal.throwIfAborted()
    const path = join(root, file.path)
    await unpack({ from: dataFolderIn(base), start: file.from, length: file.length, digest: file.digest }, path)
    giveToOwner(path)
  }
  for (const segment of segments) {
    signal.throwIfAborted()
    const path = join(root, 'pg_wal', segment.name)
    await layOutSegment(segment, path, bank)
    giveToOwner(path)
  }
  for (const [name, content] of [
    ['backup_label', manifest.label],
    ['recovery.signal', ''],
  ] as const) {
    writeFileSync(join(root, name), content, { mode: 0o600 })
    giveToOwner(join(root, name))
  }
}

type StoredFile = { from: string; start?: number; length?: number; digest: string }

/** Unpacks a file. Throws StartError if the file is missing or damaged. */
async function unpack(
  { from: source, start = 0, length = Infinity, digest }: StoredFile,
  destination: string,
): Promise<void> {
  const hash = createHash('sha256')
  const damageError = new StartError(`${source} is damaged: restore from another backup.`)
  if (length === 0) throw damageError
  try {
    await pipeline(
      createReadStream(source, { start, end: start + length - 1 }),
      createGunzip(),
      hashingStream(hash),
      createWriteStream(destination, { mode: 0o600 }),
    )
  } catch (error) {
    // A full disk does not mean that the backup is damaged.
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') || code === 'ENOENT' || code === 'ERR_OUT_OF_RANGE' ? damageError : error
  }
  if (hash.digest('hex') !== digest) throw damageError
}

async function layOutSegment(
  { path, digest, bytes, isWhole }: Segment,
  destination: string,
  bank: BackupOwner,
): Promise<void> {
  if (isWhole) return unpack({ from: path, digest }, destination)
  const startBytes = (await readFile(path)).subarray(0, bytes)
  if (hexDigestOf(startBytes) !== digest) throw new StartError(`${path} is damaged: restore from another backup.`)
  await writeFile(destination, startBytes, { mode: 0o600 })
  await appendFile(destination, Buffer.alloc(bank.segmentBytes - bytes))
}

/** Recovery settings. `restore_command` always fails because the available log is already in place. */
const SETTINGS = {
  restore_command: 'false',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
}
/** PostgreSQL's message if the log has no commit after the requested time. */
const ENDED_BEFORE = 'recovery ended before configured recovery target was reached'

/** PostgreSQL's message if the log ends before the end of the copy. */
const ENDED_WITHIN = 'WAL ends before end of online backup'

async function recover(
  draft: string,
  { at: target, base, gap }: RestorePlan,
  password: string,
): Promise<EmbeddedCluster> {
  const start = (settings: Record<string, string>) =>
    startCluster({ dir: draft, password, settings: { ...SETTINGS, ...settings }, tries: 1 })
  if (!target) return start({})
  try {
    // PostgreSQL cannot resolve the names of time zones when it reads this setting, and `Z` counts as a name.
    return await start({ recovery_target_time: target.toString().replace('Z', '+00') })
  } catch (error) {
    const log = readFileSync(postgresLogIn(draft), 'utf8')
    if (gap !== null && (log.includes(ENDED_BEFORE) || log.includes(ENDED_WITHIN))) throw gapError(dirname(base), gap)
    if (!log.includes(ENDED_BEFORE)) throw error
    // The log is complete up to a later time (`planRestore`), so everything in it happened before the requested time.
    return start({})
  }
}
