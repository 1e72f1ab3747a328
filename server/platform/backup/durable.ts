import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file atomically: at any moment, its name leads to the complete old content or to the complete new content. */
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

/** Renames a file or folder whose content is already safe on the disk. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Waits until a file, or the list of names in a folder, is safe on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
