import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` never ends in a folder, such as /proc, that exists but
 * reports ENOENT for every new entry.
 */
export function makeFolder(path: string, mode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parentFolder = dirname(path)
  if (parentFolder !== path) makeFolder(parentFolder, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // If another process has created the folder meanwhile, this is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
