import { randomUUID } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '#server/platform/backup/durable.ts'

/** The location of a data folder. A copy has another path and another inode; a moved folder has only another path. */
const place = z.object({ path: z.string(), inode: z.string() })
type BackupFolder = z.infer<typeof place>

const target = z.object({
  /** The folder that receives the log; null for none. */
  dir: z.string().nullable(),
  /**
   * The identity of the bank that writes the log. PostgreSQL cannot distinguish a bank from its copies, or two banks restored
   * from the same backup. Null in a folder that is older than this field.
   */
  line: z.uuid().nullable().default(null),
  place: place.nullable().default(null),
})
type Target = Pick<z.infer<typeof target>, 'dir' | 'line'>
/** `copiedFrom`: the original folder if this data folder is a copy of it; the log in `dir` belongs to the original. */
type CopyTarget = Target & { copiedFrom: string | null }

const targetIn = (dataDir: string): string => join(dataDir, 'backup.json')

async function placeOf(dataDir: string): Promise<BackupFolder> {
  const { ino } = await stat(dataDir, { bigint: true })
  return { path: await realpath(dataDir), inode: String(ino) }
}

/** Returns the folder for the log of the bank in a data folder, and the bank's identity. A copy gets a new identity. */
export async function readTarget(dataDir: string): Promise<CopyTarget> {
  const text = await readFile(targetIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return { dir: null, line: randomUUID(), copiedFrom: null }
  const { dir, line, place: writtenPlace } = target.parse(JSON.parse(text))
  const { path, inode } = await placeOf(dataDir)
  const isCopy = writtenPlace !== null && writtenPlace.path !== path && writtenPlace.inode !== inode
  return isCopy ? { dir, line: randomUUID(), copiedFrom: writtenPlace.path } : { dir, line, copiedFrom: null }
}

/** Sets the folder that receives the log of the bank in a data folder from now on; null for none. */
export async function writeTarget(dataDir: string, { dir, line }: Target): Promise<void> {
  await writeDurably(targetIn(dataDir), JSON.stringify({ dir, line, place: await placeOf(dataDir) }))
}
