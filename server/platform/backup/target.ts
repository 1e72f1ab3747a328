import { randomUUID } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '#server/platform/backup/durable.ts'

/** Where a folder of data is: a copy of it is at another path and has another inode, one that was moved another path alone. */
const place = z.object({ path: z.string(), inode: z.string() })
type Place = z.infer<typeof place>

const target = z.object({
  /** Where the log goes; null for nowhere. */
  dir: z.string().nullable(),
  /**
   * Whose log it is. Banks that were restored from the same backup have the same database as far as PostgreSQL can tell, and so has
   * a copy. Null in a folder from before there was this.
   */
  line: z.uuid().nullable().default(null),
  place: place.nullable().default(null),
})
type Target = Pick<z.infer<typeof target>, 'dir' | 'line'>
/** `copiedFrom`: the folder whose log goes there, where this one is its copy. */
type Found = Target & { copiedFrom: string | null }

const targetIn = (dataDir: string): string => join(dataDir, 'backup.json')

async function placeOf(dataDir: string): Promise<Place> {
  const { ino } = await stat(dataDir, { bigint: true })
  return { path: await realpath(dataDir), inode: String(ino) }
}

/** Where the log of the bank in a data folder is kept, and whose it is. A copy is somebody new. */
export async function readTarget(dataDir: string): Promise<Found> {
  const text = await readFile(targetIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return { dir: null, line: randomUUID(), copiedFrom: null }
  const { dir, line, place: written } = target.parse(JSON.parse(text))
  const { path, inode } = await placeOf(dataDir)
  const isCopy = written !== null && written.path !== path && written.inode !== inode
  return isCopy ? { dir, line: randomUUID(), copiedFrom: written.path } : { dir, line, copiedFrom: null }
}

/** Has the log of the bank in a data folder kept somewhere from now on; null for nowhere. */
export async function writeTarget(dataDir: string, { dir, line }: Target): Promise<void> {
  await writeDurably(targetIn(dataDir), JSON.stringify({ dir, line, place: await placeOf(dataDir) }))
}
