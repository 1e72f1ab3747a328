import { createHash, type Hash, hash as hashOf } from 'node:crypto'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import pg from 'pg'
import { writeDurably } from '#server/platform/backup/durable.ts'
import {
  hasBackups,
  keepPartialSegment,
  logFolderIn,
  readPosition,
  readBackupOwner,
  segmentFile,
  type BackupOwner,
  writePosition,
} from '#server/platform/backup/folder.ts'
import { readTarget } from '#server/platform/backup/target.ts'
import { type Lsn, readLsn, segmentName, segmentOf, segmentStart } from '#server/platform/backup/wal.ts'

/** The name of the replication slot for which PostgreSQL keeps its log until the log is copied. */
export const ARCHIVE_SLOT = 'alder_backup'
/**
 * The interval between two copies of the log, in milliseconds. If the machine is lost while copies succeed, the backup lacks
 * the changes of about this time.
 */
const EVERY_MS = 2_000
/** The interval at which an idle bank still writes its position to the backup, in milliseconds. */
const SAY_MS = 60_000
/** The time without progress after which a backup counts as late, in milliseconds. */
const LATE_MS = 60_000

/** SQL for PostgreSQL's current time in UTC, to the microsecond. */
export const TIME = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

type ArchiveOptions = {
  dataDir: string
  pgdata: string
  superuserUrl(): string
  /** Receives a sentence when copying the log fails, and another when it works again. */
  onTrouble(sentence: string): void
  /** The value of `LATE_MS` for tests. */
  lateMs?: number
}

export type Archive = {
  stop(): Promise<void>
  /** Returns whether the backup has made no progress for longer than `lateMs`. */
  isLate(): boolean
}

/**
 * Copies the log of a running database to the folder of the last backup, every two seconds, until `stop`. Without a backup,
 * copies nothing. No customer's request waits for the copying, because a read from a disk on another machine may never return.
 */
export function startArchive(options: ArchiveOptions): Archive {
  const { dataDir, pgdata, superuserUrl, onTrouble, lateMs = LATE_MS } = options
  const stopController = new AbortController()
  let copier: Copier | null = null
  let failingSince: number | null = null
  let lastTrouble: string | null = null
  /** The time of the last progress of the current turn; null between turns. */
  let movedAt: number | null = null
  const leave = async () => {
    await copier?.close()
    copier = null
  }
  const onGap = (dir: string, gapStart: string) =>
    onTrouble(
      `The log in ${dir} has a gap from ${gapStart} on: no time from then until the next backup can be restored from it.`,
    )
  const turn = async (): Promise<void> => {
    const { dir, line, copiedFrom } = await readTarget(dataDir)
    if (copier && copier.dir !== dir) await leave()
    if (!dir) return
    if (copiedFrom !== null)
      throw new Error(`${dataDir} is a copy of ${copiedFrom}, so make its first backup, into a folder of its own`)
    // Only a backup creates this folder. A new folder in place of a missing one would hide the loss.
    if (!(await hasBackups(dir))) throw new Error(`${dir} is not there`)
    copier ??= await openCopier({ dir, line, pgdata, url: superuserUrl(), onGap })
    await copier.copy(() => (movedAt = performance.now()))
  }
  const work = async (): Promise<void> => {
    while (!stopController.signal.aborted) {
      movedAt = performance.now()
      try {
        await turn()
        if (failingSince !== null) onTrouble('The backup continues.')
        failingSince = null
        lastTrouble = null
      } catch (error) {
        await leave()
        const trouble = (error as Error).message
        // A different reason may need a different remedy, so it is reported again.
        if (trouble !== lastTrouble) onTrouble(`The backup has stopped: ${trouble}.`)
        lastTrouble = trouble
        failingSince ??= performance.now()
      }
      movedAt = null
      await sleep(EVERY_MS, undefined, { signal: stopController.signal }).catch(() => undefined)
    }
    // The last turn copies the log written up to now, if the folder is still reachable.
    await turn().catch(() => undefined)
    await leave()
  }
  const workPromise = work()
  return {
    stop: async () => {
      stopController.abort()
      await workPromise
    },
    isLate: () => [failingSince, movedAt].some((since) => since !== null && performance.now() - since > lateMs),
  }
}

/** The first part of an unfinished segment, as it is in the backup. */
type OpenFile = { name: string; file: FileHandle; bytes: number; hash: Hash }

type Copier = {
  dir: string
  /** Calls `onStep` after each copied segment. */
  copy(onStep: () => void): Promise<void>
  close(): Promise<void>
}

type CopierOptions = {
  dir: string
  line: string | null
  pgdata: string
  url: string
  /** Receives the folder and the time at which its log ends, if PostgreSQL no longer has the log that follows. */
  onGap(dir: string, at: string): void
}

type StandbyPosition = { at: string; lsn: string; kept: string | null; status: string | null }

/**
 * Copies the log from the first segment that the replication slot keeps. If another copier began a segment, its part is copied
 * again into a new file: after a crash, PostgreSQL may have written the end of that part differently.
 */
async function openCopier({ dir, line, pgdata, url, onGap }: CopierOptions): Promise<Copier> {
  const bank = await readBackupOwner(dir)
  const client = new pg.Client({ connectionString: url, application_name: 'alder archive' })
  client.on('error', () => undefined)
  await client.connect()
  let current: OpenFile | null = null
  let next: number | null = null
  let lastReport: { lsn: string; at: number } | null = null
  const readSlotPosition = async (): Promise<StandbyPosition> => {
    const { rows } = await client.query<StandbyPosition>(
      `SELECT ${TIME} AS at, pg_current_wal_flush_lsn()::text AS lsn, slot.restart_lsn::text AS kept, slot.wal_status AS status
         FROM (SELECT) AS always LEFT JOIN pg_replication_slots slot ON slot.slot_name = $1`,
      [ARCHIVE_SLOT],
    )
    const [slot] = rows
    if (!slot?.kept || slot.status === 'lost')
      throw new Error('PostgreSQL no longer keeps the log for it, so make a new backup')
    return slot
  }
  /**
   * Returns the first segment to copy. Reports a gap if this folder lacks log before that segment: another folder received that
   * log, or PostgreSQL did not keep it.
   */
  const firstSegment = async (segment: number): Promise<number> => {
    const before = await readPosition(dir)
    if (!before || readLsn(before.lsn) >= segmentStart(segment, bank)) return segment
    if (before.begun) await keepPartialSegment(dir, before.begun)
    onGap(dir, before.at)
    return segment
  }
  const copy = async (onStep: () => void): Promise<void> => {
    const { at: seenAt, lsn, kept: keptLsn } = await readSlotPosition()
    if (lastReport?.lsn === lsn && performance.now() - lastReport.at < SAY_MS) return
    const end = readLsn(lsn)
    next ??= await firstSegment(segmentOf(readLsn(keptLsn ?? lsn), bank))
    while (segmentStart(next + 1, bank) <= end) {
      await copySegment(dir, pgdata, segmentName(next, bank), bank)
      await current?.file.close()
      current = null
      next += 1
      await client.query('SELECT pg_replication_slot_advance($1, $2)', [
        ARCHIVE_SLOT,
        lsnText(segmentStart(next, bank)),
      ])
      onStep()
    }
    const length = Number(end - segmentStart(next, bank))
    if (length > 0) {
      current ??= await beginFile(dir, next, bank)
      await copyOn(current, pgdata, length)
    }
    await writePosition(dir, {
      at: seenAt,
      lsn,
      begun: current && { file: current.name, bytes: current.bytes, digest: current.hash.copy().digest('hex') },
    })
    if (lastReport?.lsn !== lsn) await removeUnused(dir, current?.name ?? null)
    lastReport = { lsn, at: performance.now() }
  }
  const close = async () => {
    await current?.file.close().catch(() => undefined)
    await client.end().catch(() => undefined)
  }
  try {
    await checkWhose(client, dir, { bank, line })
  } catch (error) {
    await close()
    throw error
  }
  return { dir, copy, close }
}

const lsnText = (lsn: Lsn): string => `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase()

type Claimed = { bank: BackupOwner; line: string | null }

async function checkWhose(client: pg.Client, dir: string, { bank, line }: Claimed): Promise<void> {
  const { rows } = await client.query(
    'SELECT system_identifier::text AS system, timeline_id AS timeline FROM pg_control_system(), pg_control_checkpoint()',
  )
  if (rows[0].system !== bank.systemIdentifier || rows[0].timeline !== bank.timeline || line !== bank.line)
    throw new Error(`${dir} holds the backups of another bank`)
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip)

async function copySegment(dir: string, pgdata: string, name: string, { segmentBytes }: BackupOwner): Promise<void> {
  const content = Buffer.alloc(segmentBytes)
  await readPart(join(pgdata, 'pg_wal', name), content, 0)
  const packed = await pack(content, { level: constants.Z_BEST_SPEED })
  await writeDurably(join(logFolderIn(dir), segmentFile(name, hashOf('sha256', content, 'hex'))), packed)
}

async function beginFile(dir: string, segment: number, bank: BackupOwner): Promise<OpenFile> {
  const fileNames = new Set(await readdir(logFolderIn(dir)))
  let number = 1
  const nameOf = () => `${segmentName(segment, bank)}.begun-${number}`
  while (fileNames.has(nameOf())) number += 1
  const file = await open(join(logFolderIn(dir), nameOf()), 'wx', 0o600)
  return { name: nameOf(), file, bytes: 0, hash: createHash('sha256') }
}

/** Copies the segment further, up to `length` bytes from its beginning. */
async function copyOn(openFile: OpenFile, pgdata: string, length: number): Promise<void> {
  const more = Buffer.alloc(length - openFile.bytes)
  const [name = ''] = openFile.name.split('.')
  await readPart(join(pgdata, 'pg_wal', name), more, openFile.bytes)
  await openFile.file.write(more, 0, more.length, openFile.bytes)
  await openFile.file.datasync()
  openFile.hash.update(more)
  openFile.bytes = length
}

async function readPart(path: string, buffer: Buffer, from: number): Promise<void> {
  const file = await open(path, 'r')
  try {
    for (let readBytes = 0; readBytes < buffer.length;) {
      const { bytesRead } = await file.read(buffer, readBytes, buffer.length - readBytes, from + readBytes)
      if (bytesRead === 0) throw new Error(`${path} is shorter than it should be`)
      readBytes += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Removes unfinished segments that the position no longer names. */
async function removeUnused(dir: string, usedName: string | null): Promise<void> {
  for (const name of await readdir(logFolderIn(dir)))
    if (/\.(begun-\d+|new)$/.test(name) && name !== usedName) await rm(join(logFolderIn(dir), name), { force: true })
}
