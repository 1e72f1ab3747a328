import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '#server/platform/backup/durable.ts'
import { sealedSecrets } from '#server/platform/backup/sealing.ts'
import { type LogShape, readLsn, segmentName, segmentOf } from '#server/platform/backup/wal.ts'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * A folder of backups:
 *
 *     bank.json            whose they are
 *     base-0001/           a copy of the database: manifest.json, and data, where its files stand one behind the other
 *     log/                 PostgreSQL's log from the first copy on, a file for each of its segments, named with its digest
 *     log/position.json    how far it goes; where it went to another folder meanwhile, `…ended…` is the last of it before
 *
 * A copy or a segment appears under its name once it is whole and safe on the disk.
 */
const FORMAT = 1

const whose = z.object({
  format: z.int(),
  systemIdentifier: z.string(),
  timeline: z.int(),
  segmentBytes: z.int(),
  /** Which of the banks that have this database (target.ts). */
  line: z.uuid().nullable().default(null),
})
/** The database that a folder's backups are of. */
export type Whose = Omit<z.infer<typeof whose>, 'format'>

const digestText = z.string().regex(/^[0-9a-f]{64}$/)
const lsn = z.string().refine((text) => readLsn(text) >= 0n)

const manifest = z.object({
  format: z.int(),
  version: z.string(),
  postgres: z.int(),
  migrations: z.array(z.string()),
  /** The log is needed from here, and the copy is consistent from `consistentAt` on. */
  startLsn: lsn,
  stopLsn: lsn,
  startedAt: z.iso.datetime({ precision: 6 }),
  consistentAt: z.iso.datetime({ precision: 6 }),
  /** PostgreSQL's `backup_label`. */
  label: z.string(),
  /** What there was at least, by name. */
  counts: z.record(z.string(), z.int()),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), digest: digestText, from: z.int(), length: z.int(), mode: z.int() })),
  secrets: sealedSecrets,
})
export type Manifest = z.infer<typeof manifest>

const position = z.object({
  /** Everything that was committed by then is in the log. */
  at: z.iso.datetime({ precision: 6 }),
  lsn,
  /** The beginning of the segment that is being written; null where it has none yet. */
  begun: z.object({ file: z.string(), bytes: z.int(), digest: digestText }).nullable(),
})
export type Position = z.infer<typeof position>

const bankIn = (dir: string): string => join(dir, 'bank.json')
export const logIn = (dir: string): string => join(dir, 'log')
const positionIn = (dir: string): string => join(logIn(dir), 'position.json')
export const dataIn = (base: string): string => join(base, 'data')
const manifestIn = (base: string): string => join(base, 'manifest.json')

export const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const damaged = (path: string): StartError => new StartError(`${path} is damaged: restore from another backup.`)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Reads what was written with its digest. Null where there is no such file. Throws StartError where it is not what was written. */
async function readSigned<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> {
  if (!(await exists(path))) return null
  let content: unknown
  try {
    const { digest, ...rest } = JSON.parse(await readFile(path, 'utf8'))
    if (digest !== digestOf(JSON.stringify(rest))) throw damaged(path)
    content = rest
  } catch {
    throw damaged(path)
  }
  const { format } = content as { format?: unknown }
  if (typeof format === 'number' && format > FORMAT)
    throw new StartError(`${path} was written by a newer version of Alder: restore it with that one.`)
  const read = shape.safeParse(content)
  if (!read.success) throw damaged(path)
  return read.data
}

const writeSigned = (path: string, content: object): Promise<void> =>
  writeDurably(path, JSON.stringify({ ...content, digest: digestOf(JSON.stringify(content)) }))

/** Makes the folder, or checks that it is this database's. Throws StartError where it is not. */
export async function claimFolder(dir: string, bank: Whose): Promise<void> {
  makeFolder(logIn(dir), 0o700)
  const found = await readSigned(bankIn(dir), whose)
  if (!found) return writeSigned(bankIn(dir), { format: FORMAT, ...bank })
  const isSame = (['systemIdentifier', 'timeline', 'line'] as const).every((name) => found[name] === bank[name])
  if (!isSame)
    throw new StartError(
      `${dir} holds the backups of another bank, or of this one before a restore: name another folder.`,
    )
}

/** Whether a folder is there and some bank's. */
export const isThere = (dir: string): Promise<boolean> => exists(bankIn(dir))

/** Whose backups a folder holds. Throws StartError where it holds none. */
export async function readWhose(dir: string): Promise<Whose> {
  const found = await readSigned(bankIn(dir), whose)
  if (!found) throw new StartError(`${dir} is no folder of backups.`)
  return found
}

const BASE = /^base-(\d{4,})$/

/** The copies in a folder that are whole, the oldest first. */
export function wholeBases(dir: string): { number: number; path: string }[] {
  return readdirSync(dir)
    .flatMap((name) => {
      const [, number] = BASE.exec(name) ?? []
      return number && existsSync(manifestIn(join(dir, name)))
        ? [{ number: Number(number), path: join(dir, name) }]
        : []
    })
    .toSorted((one, other) => one.number - other.number)
}

/** Where the next copy goes, and where it is made. What an earlier try left is removed. */
export function nextBase(dir: string): { path: string; draft: string } {
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(join(dir, name), { recursive: true })
  const numbers = readdirSync(dir).map((name) => Number(BASE.exec(name)?.[1] ?? 0))
  const path = join(dir, `base-${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}`)
  return { path, draft: `${path}.part` }
}

export async function readManifest(base: string): Promise<Manifest> {
  const found = await readSigned(manifestIn(base), manifest)
  if (!found) throw damaged(manifestIn(base))
  return found
}

export const writeManifest = (base: string, content: Omit<Manifest, 'format'>): Promise<void> =>
  writeSigned(manifestIn(base), { format: FORMAT, ...content })

export const readPosition = (dir: string): Promise<Position | null> => readSigned(positionIn(dir), position)
export const writePosition = (dir: string, content: Position): Promise<void> => writeSigned(positionIn(dir), content)

const SEGMENT = /^([0-9A-F]{24})-([0-9a-f]{64})\.gz$/
export const segmentFile = (name: string, digest: string): string => `${name}-${digest}.gz`

/** The whole segments of the log, by PostgreSQL's name for them. */
export function wholeSegments(dir: string): Map<string, { path: string; digest: string }> {
  return new Map(
    readdirSync(logIn(dir)).flatMap((file) => {
      const [, name, digest] = SEGMENT.exec(file) ?? []
      return name && digest ? [[name, { path: join(logIn(dir), file), digest }] as const] : []
    }),
  )
}

const ENDED = /^([0-9A-F]{24})\.ended-(\d+)-([0-9a-f]{64})$/

/** Segments of which only the beginning was copied before the log went to another folder, by PostgreSQL's name for them. */
export function endedSegments(dir: string): Map<string, { path: string; digest: string; bytes: number }> {
  return new Map(
    readdirSync(logIn(dir)).flatMap((file) => {
      const [, name, bytes, digest] = ENDED.exec(file) ?? []
      return name && digest ? [[name, { path: join(logIn(dir), file), digest, bytes: Number(bytes) }] as const] : []
    }),
  )
}

/** Keeps the beginning of a segment whose rest is not going to come, since the position names another one from now on. */
export async function keepEnded(dir: string, { file, bytes, digest }: NonNullable<Position['begun']>): Promise<void> {
  const content = await readFile(join(logIn(dir), file)).catch(() => null)
  const [name] = file.split('.')
  if (content) await writeDurably(join(logIn(dir), `${name}.ended-${bytes}-${digest}`), content.subarray(0, bytes))
}

/** Removes all but the last copies, and the log that only those needed. */
export async function removeOld(dir: string, keep: number, shape: LogShape): Promise<void> {
  const bases = wholeBases(dir)
  const kept = bases.slice(-Math.max(1, keep))
  for (const { path } of bases.slice(0, -kept.length)) {
    // First of all it is no longer whole.
    rmSync(manifestIn(path))
    rmSync(path, { recursive: true })
  }
  const [oldest] = kept
  if (!oldest) return
  const needed = segmentName(segmentOf(readLsn((await readManifest(oldest.path)).startLsn), shape), shape)
  for (const [name, { path }] of [...wholeSegments(dir), ...endedSegments(dir)]) if (name < needed) rmSync(path)
}
