import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts a file in place, whole or not at all: whatever happens, its name leads to what was there before, or to all of this. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await moveDurably(draft, path)
}

/** Gives a file or folder, which is safe on the disk, another name. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Waits until a file, or the names in a folder, are safe on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
