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
import { hashed } from '#server/platform/backup/base.ts'
import { moveDurably, syncFolder } from '#server/platform/backup/durable.ts'
import {
  dataIn,
  digestOf,
  endedSegments,
  logIn,
  type Manifest,
  type Position,
  readManifest,
  readPosition,
  readWhose,
  wholeBases,
  wholeSegments,
  type Whose,
} from '#server/platform/backup/folder.ts'
import { openSecrets, type Secrets } from '#server/platform/backup/sealing.ts'
import { readLsn, segmentName, segmentOf } from '#server/platform/backup/wal.ts'
import {
  type Cluster,
  logIn as postgresLogIn,
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

/** A moment, as precise as PostgreSQL keeps it; null for the last one that the backup knows. */
export type Moment = Temporal.Instant | null

/** Which copy and how much of the log lead to a moment. */
export type Plan = {
  bank: Whose
  base: string
  manifest: Manifest
  position: Position
  at: Moment
  segments: Segment[]
  /** The first file of the log that is missing; only PostgreSQL can tell whether the moment is before it. */
  gap: string | null
}

/** A file of the log, whole or as far as it was written. */
type Segment = { name: string; path: string; digest: string; bytes: number; isWhole: boolean }

/** Finds what leads to a moment. Throws StartError where nothing does. */
export async function planRestore(dir: string, at: Moment): Promise<Plan> {
  if (!existsSync(dir)) throw new StartError(`${dir} is no folder of backups.`)
  const bank = await readWhose(dir)
  const bases = await Promise.all(
    wholeBases(dir).map(async ({ path }) => ({ path, manifest: await readManifest(path) })),
  )
  const position = await readPosition(dir)
  const [oldest] = bases
  if (!position || !oldest) throw new StartError(`There is no whole backup in ${dir}.`)
  if (at && isAfter(at, position.at))
    throw new StartError(`The backup in ${dir} goes up to ${position.at}; name a time before, or latest.`)
  const index = bases.findLastIndex(({ manifest }) => !at || !isAfter(manifest.consistentAt, at))
  const base = bases[index]
  if (!base)
    throw new StartError(`The oldest backup in ${dir} is of ${oldest.manifest.consistentAt}; name a time after that.`)
  // What was committed before a later copy was begun is in the log before that copy.
  const later = at && bases.slice(index + 1).find(({ manifest }) => isAfter(manifest.startedAt, at))
  const end = later ? later.manifest.startLsn : position.lsn
  const { segments, gap } = segmentsBetween(dir, bank, { from: base.manifest.startLsn, to: end, position })
  if (gap !== null && !at) throw lacks(dir, gap)
  return { bank, base: base.path, manifest: base.manifest, position, at, segments, gap }
}

const isAfter = (one: Temporal.Instant | string, other: Temporal.Instant | string): boolean =>
  Temporal.Instant.compare(one, other) > 0

type Stretch = { from: string; to: string; position: Position }

const lacks = (dir: string, gap: string): StartError =>
  new StartError(`The backup in ${dir} lacks a part of its log, ${gap}: restore to a time before or after the gap.`)

/** The files of the log, as far as there are all. */
function segmentsBetween(dir: string, bank: Whose, { from, to, position }: Stretch): Pick<Plan, 'segments' | 'gap'> {
  const whole = wholeSegments(dir)
  const ended = endedSegments(dir)
  const found: Segment[] = []
  const last = segmentOf(readLsn(to), bank)
  for (let segment = segmentOf(readLsn(from), bank); segment <= last; segment += 1) {
    const name = segmentName(segment, bank)
    const one = whole.get(name)
    const begins = ended.get(name)
    const { begun } = position
    if (one) found.push({ name, ...one, bytes: bank.segmentBytes, isWhole: true })
    else if (begun?.file.startsWith(name))
      found.push({ name, ...begun, path: join(logIn(dir), begun.file), isWhole: false })
    // Its rest was written elsewhere, and is the beginning of a gap.
    else if (begins) return { segments: [...found, { name, ...begins, isWhole: false }], gap: name }
    // A segment of which nothing has been written yet.
    else if (readLsn(position.lsn) % BigInt(bank.segmentBytes) !== 0n || segment !== last)
      return { segments: found, gap: name }
  }
  return { segments: found, gap: null }
}

export type RestoreOptions = {
  plan: Plan
  passphrase: string
  /** Where to: missing or empty. */
  to: string
  /** What is done to the restored bank before anybody can open it; `until` is the moment that it knows of. */
  prepare(cluster: Cluster, until: string): Promise<void>
  /** Aborted, with a StartError, where somebody has it end: its database is stopped then. */
  signal: AbortSignal
}

/**
 * Restores a bank into a new folder, which appears under its name once it is whole. Throws StartError.
 */
export async function restore({ to, ...options }: RestoreOptions): Promise<void> {
  const room = `${to}.restoring`
  const lock = takeRoom(room, to)
  const draft = join(room, 'bank')
  try {
    // What an earlier try left that was killed.
    if (existsSync(pgdataIn(draft))) await stopLeftover(pgdataIn(draft))
    await rm(draft, { recursive: true, force: true })
    const secrets = await restoreInto(draft, options)
    // Last of all, so that a try that is killed before leaves none.
    writeFileSync(join(draft, 'secret'), `${secrets.secret}\n`, { mode: 0o600 })
    writeFileSync(passwordIn(draft), `${secrets.databasePassword}\n`, { mode: 0o600 })
    await syncCluster(draft)
    for (const name of ['lock', 'postgres.log']) await rm(join(draft, name), { force: true })
    await syncFolder(draft)
    // An empty folder gives way.
    await moveDurably(draft, to)
  } finally {
    await rm(room, { recursive: true, force: true })
    lock.release()
  }
}

/** Two that restore to the same place at once would write into the same files. */
function takeRoom(room: string, to: string): DataLock {
  try {
    return lockDataDir(room)
  } catch (error) {
    if (error instanceof StartError && existsSync(join(room, 'server.pid')))
      throw new StartError(`Another restore to ${to} is under way.`)
    throw error
  }
}

/** The same into a folder that is whole when this is done, and worth nothing before, but for the secrets that it answers. */
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

/** Does the work, which fails once `end` has taken its database away. */
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

async function layOut(draft: string, { base, manifest, bank, segments }: Plan, signal: AbortSignal): Promise<void> {
  const owner = await ownerOn(draft)
  const root = pgdataIn(draft)
  const give = (path: string): void => {
    if (owner) chownSync(path, owner.uid, owner.gid)
  }
  for (const path of ['', ...manifest.folders]) {
    mkdirSync(join(root, path), { mode: 0o700 })
    give(join(root, path))
  }
  for (const file of manifest.files) {
    signal.throwIfAborted()
    const path = join(root, file.path)
    await unpack({ from: dataIn(base), start: file.from, length: file.length, digest: file.digest }, path)
    give(path)
  }
  for (const segment of segments) {
    signal.throwIfAborted()
    const path = join(root, 'pg_wal', segment.name)
    await layOutSegment(segment, path, bank)
    give(path)
  }
  for (const [name, content] of [
    ['backup_label', manifest.label],
    ['recovery.signal', ''],
  ] as const) {
    writeFileSync(join(root, name), content, { mode: 0o600 })
    give(join(root, name))
  }
}

type Packed = { from: string; start?: number; length?: number; digest: string }

/** Throws StartError where what comes out is not what went in. */
async function unpack({ from, start = 0, length = Infinity, digest }: Packed, to: string): Promise<void> {
  const hash = createHash('sha256')
  const damaged = new StartError(`${from} is damaged: restore from another backup.`)
  if (length === 0) throw damaged
  try {
    await pipeline(
      createReadStream(from, { start, end: start + length - 1 }),
      createGunzip(),
      hashed(hash),
      createWriteStream(to, { mode: 0o600 }),
    )
  } catch (error) {
    // A disk that is full is not the backup's fault.
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') || code === 'ENOENT' || code === 'ERR_OUT_OF_RANGE' ? damaged : error
  }
  if (hash.digest('hex') !== digest) throw damaged
}

async function layOutSegment({ path, digest, bytes, isWhole }: Segment, to: string, bank: Whose): Promise<void> {
  if (isWhole) return unpack({ from: path, digest }, to)
  const begun = (await readFile(path)).subarray(0, bytes)
  if (digestOf(begun) !== digest) throw new StartError(`${path} is damaged: restore from another backup.`)
  await writeFile(to, begun, { mode: 0o600 })
  await appendFile(to, Buffer.alloc(bank.segmentBytes - bytes))
}

/** Whatever is to be found of the log is in its place already. */
const SETTINGS = {
  restore_command: 'false',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
}
/** What PostgreSQL says where nothing was committed after the time that it was told. */
const ENDED_BEFORE = 'recovery ended before configured recovery target was reached'

/** The same where the copy itself needs more of the log. */
const ENDED_WITHIN = 'WAL ends before end of online backup'

async function recover(draft: string, { at, base, gap }: Plan, password: string): Promise<Cluster> {
  const start = (settings: Record<string, string>) =>
    startCluster({ dir: draft, password, settings: { ...SETTINGS, ...settings }, tries: 1 })
  if (!at) return start({})
  try {
    // Where PostgreSQL reads this, it knows no names of zones, and `Z` is one.
    return await start({ recovery_target_time: at.toString().replace('Z', '+00') })
  } catch (error) {
    const said = readFileSync(postgresLogIn(draft), 'utf8')
    if (gap !== null && (said.includes(ENDED_BEFORE) || said.includes(ENDED_WITHIN))) throw lacks(dirname(base), gap)
    if (!said.includes(ENDED_BEFORE)) throw error
    // The log is whole up to a later time (planRestore), so all that it says happened before.
    return start({})
  }
}
