import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export type DataLock = { release(): void }

/**
 * Locks a data folder for this process. Throws StartError with the holder's process if it is locked already.
 *
 * Node has no file locks, but SQLite has: an exclusive transaction on an empty file is a lock that the kernel releases when the
 * process ends in any way. So neither `kill -9` nor a reused process number leaves a stale lock. The file `server.pid` beside
 * it only names the holder.
 */
export function lockDataDir(dir: string): DataLock {
  const pidFile = join(dir, 'server.pid')
  const file = openLock(dir)
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new StartError(
      `Another Alder is already running on ${dir}${namedIn(pidFile)}; stop it first, or set DATA_DIR to another folder.`,
    )
  }
  writePid(pidFile)
  return {
    release: () => {
      rmSync(pidFile, { force: true })
      file.close()
    },
  }
}

const SQLITE_BUSY = 5

function openLock(dir: string): DatabaseSync {
  try {
    makeFolder(dir, 0o711)
    return new DatabaseSync(join(dir, 'lock'), { timeout: 0 })
  } catch (error) {
    throw new StartError(
      `DATA_DIR must be a folder that can be written, and ${dir} is not: ${(error as Error).message}.`,
    )
  }
}

function namedIn(pidFile: string): string {
  try {
    return ` (process ${Number(readFileSync(pidFile, 'utf8'))})`
  } catch {
    return ''
  }
}

function writePid(pidFile: string): void {
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch {
    // The file only serves an error message. A full disk must not stop the bank from starting because of it.
  }
}
