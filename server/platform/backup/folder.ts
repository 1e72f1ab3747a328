import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '#server/platform/backup/durable.ts'
import { sealedSecrets } from '#server/platform/backup/sealed-secrets.ts'
import { type LogShape, readLsn, segmentName, segmentOf } from '#server/platform/backup/wal.ts'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * A folder of backups:
 *
 *     bank.json            the bank that the backups belong to
 *     base-0001/           a copy of the database: manifest.json, and data, which contains its files one after another
 *     log/                 PostgreSQL's log from the first copy on: a file for each segment, with its digest in the name
 *     log/position.json    the end of the copied log; a file `…ended…` is the last part before the log went to another folder
 *
 * A copy or a segment gets its final name once it is complete and safe on the disk.
 */
const FORMAT = 1

const ownerShape = z.object({
  format: z.int(),
  systemIdentifier: z.string(),
  timeline: z.int(),
  segmentBytes: z.int(),
  /** Distinguishes the banks that share this database's history (target.ts). */
  line: z.uuid().nullable().default(null),
})
/** The database that the backups of a folder belong to. */
export type BackupOwner = Omit<z.infer<typeof ownerShape>, 'format'>

const digestText = z.string().regex(/^[0-9a-f]{64}$/)
const lsn = z.string().refine((text) => readLsn(text) >= 0n)

const manifest = z.object({
  format: z.int(),
  version: z.string(),
  postgres: z.int(),
  migrations: z.array(z.string()),
  /** A restore needs the log from `startLsn` on. The copy is consistent from `consistentAt` on. */
  startLsn: lsn,
  stopLsn: lsn,
  startedAt: z.iso.datetime({ precision: 6 }),
  consistentAt: z.iso.datetime({ precision: 6 }),
  /** The content of PostgreSQL's `backup_label`. */
  label: z.string(),
  /** The smallest allowed counts of rows in the restored bank, by name. */
  counts: z.record(z.string(), z.int()),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), digest: digestText, from: z.int(), length: z.int(), mode: z.int() })),
  secrets: sealedSecrets,
})
export type Manifest = z.infer<typeof manifest>

const position = z.object({
  /** The log contains everything that was committed by this time. */
  at: z.iso.datetime({ precision: 6 }),
  lsn,
  /** The copied part of the segment that PostgreSQL is writing; null if nothing of it is copied yet. */
  begun: z.object({ file: z.string(), bytes: z.int(), digest: digestText }).nullable(),
})
export type LogPosition = z.infer<typeof position>

const bankIn = (dir: string): string => join(dir, 'bank.json')
export const logFolderIn = (dir: string): string => join(dir, 'log')
const positionIn = (dir: string): string => join(logFolderIn(dir), 'position.json')
export const dataFolderIn = (base: string): string => join(base, 'data')
const manifestIn = (base: string): string => join(base, 'manifest.json')

export const hexDigestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const damageError = (path: string): StartError => new StartError(`${path} is damaged: restore from another backup.`)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Reads a JSON file and checks its digest. Returns null if there is no file. Throws StartError if the file is damaged or was
 * written by a newer version.
 */
async function readSigned<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> {
  if (!(await exists(path))) return null
  let content: unknown
  try {
    const { digest, ...contents } = JSON.parse(await readFile(path, 'utf8'))
    if (digest !== hexDigestOf(JSON.stringify(contents))) throw damageError(path)
    content = contents
  } catch {
    throw damageError(path)
  }
  const { format } = content as { format?: unknown }
  if (typeof format === 'number' && format > FORMAT)
    throw new StartError(`${path} was written by a newer version of Alder: restore it with that one.`)
  const parsedContent = shape.safeParse(content)
  if (!parsedContent.success) throw damageError(path)
  return parsedContent.data
}

const writeSigned = (path: string, content: object): Promise<void> =>
  writeDurably(path, JSON.stringify({ ...content, digest: hexDigestOf(JSON.stringify(content)) }))

/** Creates the folder, or checks that it belongs to this database. Throws StartError if it does not. */
export async function claimFolder(dir: string, bank: BackupOwner): Promise<void> {
  makeFolder(logFolderIn(dir), 0o700)
  const content = await readSigned(bankIn(dir), ownerShape)
  if (!content) return writeSigned(bankIn(dir), { format: FORMAT, ...bank })
  const isSame = (['systemIdentifier', 'timeline', 'line'] as const).every((name) => content[name] === bank[name])
  if (!isSame)
    throw new StartError(
      `${dir} holds the backups of another bank, or of this one before a restore: name another folder.`,
    )
}

/** Returns whether a folder exists and belongs to a bank. */
export const hasBackups = (dir: string): Promise<boolean> => exists(bankIn(dir))

/** Returns the bank that a folder's backups belong to. Throws StartError if the folder contains no backups. */
export async function readBackupOwner(dir: string): Promise<BackupOwner> {
  const content = await readSigned(bankIn(dir), ownerShape)
  if (!content) throw new StartError(`${dir} is no folder of backups.`)
  return content
}

const BASE = /^base-(\d{4,})$/

/** Returns the complete copies in a folder, oldest first. */
export function findCompleteBases(dir: string): { number: number; path: string }[] {
  return readdirSync(dir)
    .flatMap((name) => {
      const [, number] = BASE.exec(name) ?? []
      return number && existsSync(manifestIn(join(dir, name)))
        ? [{ number: Number(number), path: join(dir, name) }]
        : []
    })
    .toSorted((lower, other) => lower.number - other.number)
}

/**
 * Returns two paths for the next copy: `draft`, at which the copy is written, and `path`, to which the complete copy moves.
 * Removes the drafts of earlier attempts.
 */
export function nextBase(dir: string): { path: string; draft: string } {
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(join(dir, name), { recursive: true })
  const numbers = readdirSync(dir).map((name) => Number(BASE.exec(name)?.[1] ?? 0))
  const path = join(dir, `base-${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}`)
  return { path, draft: `${path}.part` }
}

export async function readManifest(base: string): Promise<Manifest> {
  const content = await readSigned(manifestIn(base), manifest)
  if (!content) throw damageError(manifestIn(base))
  return content
}

export const writeManifest = (base: string, content: Omit<Manifest, 'format'>): Promise<void> =>
  writeSigned(manifestIn(base), { format: FORMAT, ...content })

export const readPosition = (dir: string): Promise<LogPosition | null> => readSigned(positionIn(dir), position)
export const writePosition = (dir: string, content: LogPosition): Promise<void> => writeSigned(positionIn(dir), content)

const SEGMENT = /^([0-9A-F]{24})-([0-9a-f]{64})\.gz$/
export const segmentFile = (name: string, digest: string): string => `${name}-${digest}.gz`

/** Returns the complete segments of the log, by PostgreSQL's name for them. */
export function findCompleteSegments(dir: string): Map<string, { path: string; digest: string }> {
  return new Map(
    readdirSync(logFolderIn(dir)).flatMap((file) => {
      const [, name, digest] = SEGMENT.exec(file) ?? []
      return name && digest ? [[name, { path: join(logFolderIn(dir), file), digest }] as const] : []
    }),
  )
}

const ENDED = /^([0-9A-F]{24})\.ended-(\d+)-([0-9a-f]{64})$/

/** Returns, by PostgreSQL's name, the segments that are incomplete because the log went to another folder. */
export function findPartialSegments(dir: string): Map<string, { path: string; digest: string; bytes: number }> {
  return new Map(
    readdirSync(logFolderIn(dir)).flatMap((file) => {
      const [, name, bytes, digest] = ENDED.exec(file) ?? []
      return name && digest
        ? [[name, { path: join(logFolderIn(dir), file), digest, bytes: Number(bytes) }] as const]
        : []
    }),
  )
}

/** Keeps the first part of a segment whose rest went to another folder. The position will name another segment from now on. */
export async function keepPartialSegment(
  dir: string,
  { file, bytes, digest }: NonNullable<LogPosition['begun']>,
): Promise<void> {
  const content = await readFile(join(logFolderIn(dir), file)).catch(() => null)
  const [name] = file.split('.')
  if (content)
    await writeDurably(join(logFolderIn(dir), `${name}.ended-${bytes}-${digest}`), content.subarray(0, bytes))
}

/** Removes all copies except the last `keep` (at least one), and the log that only the removed copies needed. */
export async function removeOldBases(dir: string, keep: number, shape: LogShape): Promise<void> {
  const bases = findCompleteBases(dir)
  const keptBases = bases.slice(-Math.max(1, keep))
  for (const { path } of bases.slice(0, -keptBases.length)) {
    // The manifest goes first, so that a half-removed copy does not count as complete.
    rmSync(manifestIn(path))
    rmSync(path, { recursive: true })
  }
  const [oldestBase] = keptBases
  if (!oldestBase) return
  const firstNeededName = segmentName(segmentOf(readLsn((await readManifest(oldestBase.path)).startLsn), shape), shape)
  for (const [name, { path }] of [...findCompleteSegments(dir), ...findPartialSegments(dir)])
    if (name < firstNeededName) rmSync(path)
}
