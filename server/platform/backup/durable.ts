import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file, and resolves once it is safe on the disk. At any moment, the path has either the complete old content or the
 * complete new content.
 */
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

/** Waits until the list of names in a folder is safe on the disk. This does not cover the content of its files. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
