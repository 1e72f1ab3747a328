import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataLock, lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { stopLeftover } from '#server/platform/db/embedded-postmaster.ts'
import { pgdataIn } from '#server/platform/db/embedded.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const NAME = 'alder-verify-'

/**
 * Provides a new folder for a restore while `work` runs. First removes the folders that killed runs left, and stops their
 * databases.
 */
export async function withTemporary<Result>(work: (bank: string) => Promise<Result>): Promise<Result> {
  await removeLeftovers()
  const folder = makeFolder()
  const lock = lockDataDir(folder)
  try {
    return await work(bankIn(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
    lock.release()
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), NAME))
  } catch (error) {
    throw new StartError(
      `TMPDIR must be a folder that can be written, and ${tmpdir()} is not: ${(error as Error).message}.`,
    )
  }
}

const bankIn = (folder: string): string => join(folder, 'bank')

async function removeLeftovers(): Promise<void> {
  for (const name of existsSync(tmpdir()) ? readdirSync(tmpdir()) : []) {
    const folder = join(tmpdir(), name)
    const lock = name.startsWith(NAME) && isOurs(folder) ? lockOfNobody(folder) : null
    if (!lock) continue
    const pgdata = pgdataIn(bankIn(folder))
    if (existsSync(pgdata)) await stopLeftover(pgdata)
    rmSync(folder, { recursive: true, force: true })
    lock.release()
  }
}

/** Returns whether a folder belongs to this user. Any user can put a folder or a link into a temporary folder. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return stats !== undefined && stats.isDirectory() && stats.uid === process.getuid?.()
}

/**
 * Takes the lock of a folder whose process has ended: the kernel releases the lock then. Returns null if the process still
 * runs.
 */
function lockOfNobody(folder: string): DataLock | null {
  try {
    return lockDataDir(folder)
  } catch {
    return null
  }
}
