import { createHash, type Hash, hash as hashOf } from 'node:crypto'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import pg from 'pg'
import { writeDurably } from '#server/platform/backup/durable.ts'
import {
  isThere,
  keepEnded,
  logIn,
  readPosition,
  readWhose,
  segmentFile,
  type Whose,
  writePosition,
} from '#server/platform/backup/folder.ts'
import { readTarget } from '#server/platform/backup/target.ts'
import { type Lsn, readLsn, segmentName, segmentOf, startOf } from '#server/platform/backup/wal.ts'

/** PostgreSQL keeps its log for this one until it is copied. */
export const ARCHIVE_SLOT = 'alder_backup'
/** How often the log is copied, in milliseconds: so much may be missing from a backup whose bank is lost. */
const EVERY_MS = 2_000
/** A bank in which nothing happens says so this often, in milliseconds. */
const SAY_MS = 60_000
/** A backup that does not go on for so long is late, in milliseconds. */
const LATE_MS = 60_000

/** The time as PostgreSQL has it, to the microsecond. */
export const TIME = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

type ArchiveOptions = {
  dataDir: string
  pgdata: string
  superuserUrl(): string
  /** Told when the log cannot be copied, and when it can be again. */
  onTrouble(sentence: string): void
  /** For tests. */
  lateMs?: number
}

export type Archive = {
  stop(): Promise<void>
  /** Whether the backup has not gone on for a minute. */
  isLate(): boolean
}

/**
 * Copies the log of a running database to the folder that the last backup named, every two seconds, for as long as the
 * bank runs. Where there has been no backup it does nothing. A disk on another machine may leave whoever asks it waiting for
 * ever, so nothing here waits for one where customers would wait, too.
 */
export function startArchive(options: ArchiveOptions): Archive {
  const { dataDir, pgdata, superuserUrl, onTrouble, lateMs = LATE_MS } = options
  const stopping = new AbortController()
  let copier: Copier | null = null
  let failingSince: number | null = null
  let lastTrouble: string | null = null
  /** When a turn that is under way last got on. */
  let movedAt: number | null = null
  const leave = async () => {
    await copier?.close()
    copier = null
  }
  const onGap = (dir: string, at: string) =>
    onTrouble(
      `The log in ${dir} has a gap from ${at} on: no moment until the next backup there can be restored from it.`,
    )
  const turn = async (): Promise<void> => {
    const { dir, line, copiedFrom } = await readTarget(dataDir)
    if (copier && copier.dir !== dir) await leave()
    if (!dir) return
    if (copiedFrom !== null)
      throw new Error(`${dataDir} is a copy of ${copiedFrom}, so make its first backup, into a folder of its own`)
    // Made by the backup that named it; a folder that is gone is not made anew, or nobody would miss it.
    if (!(await isThere(dir))) throw new Error(`${dir} is not there`)
    copier ??= await openCopier({ dir, line, pgdata, url: superuserUrl(), onGap })
    await copier.copy(() => (movedAt = performance.now()))
  }
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      movedAt = performance.now()
      try {
        await turn()
        if (failingSince !== null) onTrouble('The backup goes on.')
        failingSince = null
        lastTrouble = null
      } catch (error) {
        await leave()
        const trouble = (error as Error).message
        // Another reason may take something else to be done.
        if (trouble !== lastTrouble) onTrouble(`The backup does not go on: ${trouble}.`)
        lastTrouble = trouble
        failingSince ??= performance.now()
      }
      movedAt = null
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    // What was written until now is in the backup, where that still can be.
    await turn().catch(() => undefined)
    await leave()
  }
  const working = work()
  return {
    stop: async () => {
      stopping.abort()
      await working
    },
    isLate: () => [failingSince, movedAt].some((since) => since !== null && performance.now() - since > lateMs),
  }
}

/** The beginning of a segment, as it stands in the backup. */
type Begun = { name: string; file: FileHandle; bytes: number; hash: Hash }

type Copier = {
  dir: string
  /** Calls whenever it has got on. */
  copy(onStep: () => void): Promise<void>
  close(): Promise<void>
}

type CopierOptions = {
  dir: string
  line: string | null
  pgdata: string
  url: string
  /** Told where the folder's log ends before the one that there still is. */
  onGap(dir: string, at: string): void
}

type Seen = { at: string; lsn: string; kept: string | null; status: string | null }

/**
 * Copies from the first segment on that PostgreSQL keeps for us. The beginning of a segment that another copier made is
 * copied anew, into a file of its own: after a crash, PostgreSQL may have written its end differently.
 */
async function openCopier({ dir, line, pgdata, url, onGap }: CopierOptions): Promise<Copier> {
  const bank = await readWhose(dir)
  const client = new pg.Client({ connectionString: url, application_name: 'alder archive' })
  client.on('error', () => undefined)
  await client.connect()
  let begun: Begun | null = null
  let next: number | null = null
  let said: { lsn: string; at: number } | null = null
  const see = async (): Promise<Seen> => {
    const { rows } = await client.query<Seen>(
      `SELECT ${TIME} AS at, pg_current_wal_flush_lsn()::text AS lsn, slot.restart_lsn::text AS kept, slot.wal_status AS status
         FROM (SELECT) AS always LEFT JOIN pg_replication_slots slot ON slot.slot_name = $1`,
      [ARCHIVE_SLOT],
    )
    const [seen] = rows
    if (!seen?.kept || seen.status === 'lost')
      throw new Error('PostgreSQL no longer keeps the log for it, so make a new backup')
    return seen
  }
  /** Where to go on: what of the log came before is in this folder, or in another one that backups went to meanwhile. */
  const firstSegment = async (segment: number): Promise<number> => {
    const before = await readPosition(dir)
    if (!before || readLsn(before.lsn) >= startOf(segment, bank)) return segment
    if (before.begun) await keepEnded(dir, before.begun)
    onGap(dir, before.at)
    return segment
  }
  const copy = async (onStep: () => void): Promise<void> => {
    const { at, lsn, kept } = await see()
    if (said?.lsn === lsn && performance.now() - said.at < SAY_MS) return
    const end = readLsn(lsn)
    next ??= await firstSegment(segmentOf(readLsn(kept ?? lsn), bank))
    while (startOf(next + 1, bank) <= end) {
      await copySegment(dir, pgdata, segmentName(next, bank), bank)
      await begun?.file.close()
      begun = null
      next += 1
      await client.query('SELECT pg_replication_slot_advance($1, $2)', [ARCHIVE_SLOT, lsnText(startOf(next, bank))])
      onStep()
    }
    const length = Number(end - startOf(next, bank))
    if (length > 0) {
      begun ??= await begin(dir, next, bank)
      await copyOn(begun, pgdata, length)
    }
    await writePosition(dir, {
      at,
      lsn,
      begun: begun && { file: begun.name, bytes: begun.bytes, digest: begun.hash.copy().digest('hex') },
    })
    if (said?.lsn !== lsn) await removeUnused(dir, begun?.name ?? null)
    said = { lsn, at: performance.now() }
  }
  const close = async () => {
    await begun?.file.close().catch(() => undefined)
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

type Claimed = { bank: Whose; line: string | null }

async function checkWhose(client: pg.Client, dir: string, { bank, line }: Claimed): Promise<void> {
  const { rows } = await client.query(
    'SELECT system_identifier::text AS system, timeline_id AS timeline FROM pg_control_system(), pg_control_checkpoint()',
  )
  if (rows[0].system !== bank.systemIdentifier || rows[0].timeline !== bank.timeline || line !== bank.line)
    throw new Error(`${dir} holds the backups of another bank`)
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip)

async function copySegment(dir: string, pgdata: string, name: string, { segmentBytes }: Whose): Promise<void> {
  const content = Buffer.alloc(segmentBytes)
  await readPart(join(pgdata, 'pg_wal', name), content, 0)
  const packed = await pack(content, { level: constants.Z_BEST_SPEED })
  await writeDurably(join(logIn(dir), segmentFile(name, hashOf('sha256', content, 'hex'))), packed)
}

async function begin(dir: string, segment: number, bank: Whose): Promise<Begun> {
  const taken = new Set(await readdir(logIn(dir)))
  let number = 1
  const nameOf = () => `${segmentName(segment, bank)}.begun-${number}`
  while (taken.has(nameOf())) number += 1
  const file = await open(join(logIn(dir), nameOf()), 'wx', 0o600)
  return { name: nameOf(), file, bytes: 0, hash: createHash('sha256') }
}

/** Copies on to so many bytes of the segment. */
async function copyOn(begun: Begun, pgdata: string, length: number): Promise<void> {
  const more = Buffer.alloc(length - begun.bytes)
  const [name = ''] = begun.name.split('.')
  await readPart(join(pgdata, 'pg_wal', name), more, begun.bytes)
  await begun.file.write(more, 0, more.length, begun.bytes)
  await begun.file.datasync()
  begun.hash.update(more)
  begun.bytes = length
}

async function readPart(path: string, into: Buffer, from: number): Promise<void> {
  const file = await open(path, 'r')
  try {
    for (let read = 0; read < into.length;) {
      const { bytesRead } = await file.read(into, read, into.length - read, from + read)
      if (bytesRead === 0) throw new Error(`${path} is shorter than it should be`)
      read += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Removes beginnings of segments that the position no longer names. */
async function removeUnused(dir: string, named: string | null): Promise<void> {
  for (const name of await readdir(logIn(dir)))
    if (/\.(begun-\d+|new)$/.test(name) && name !== named) await rm(join(logIn(dir), name), { force: true })
}
