import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataLock, lockDataDir } from '#server/platform/db/embedded-lock.ts'
import { stopLeftover } from '#server/platform/db/embedded-postmaster.ts'
import { pgdataIn } from '#server/platform/db/embedded.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const NAME = 'alder-verify-'

/**
 * Has a new folder to restore into for as long as `work` lasts. What a run that was killed has left is removed first, with the
 * database that it may have left running.
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

/** Everybody may put a folder, or a link to one, into a temporary folder. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.()
}

/** The lock of a folder whose process has ended: the kernel lets it go then, and no sooner. Null where one still runs. */
function lockOfNobody(folder: string): DataLock | null {
  try {
    return lockDataDir(folder)
  } catch {
    return null
  }
}
