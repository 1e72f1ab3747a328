import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { endAll, startBank } from '#server/faults/bank-process.ts'

/** A data folder on which a bank was opened and stopped. */
export type UsedFolder = {
  /** Makes the empty folder `dir` one of the same. It takes a tenth of the time of a first start. */
  copyTo(dir: string): void
  remove(): void
}

export async function makeUsedFolder(): Promise<UsedFolder> {
  const used = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  const bank = await startBank({ dir: used })
  await bank.end('SIGTERM')
  return {
    // Much of it belongs to the user that PostgreSQL runs as, and has to in the copy.
    copyTo: (dir) => void execFileSync('cp', ['-a', `${used}/.`, dir]),
    remove: () => rmSync(used, { recursive: true, force: true }),
  }
}

/** Gives each test of a file a fresh copy of one used folder. After the test, its banks are ended and the copy is removed. */
export function eachInUsedFolder(give: (dir: string) => void): void {
  let used: UsedFolder
  let dir: string
  beforeAll(async () => {
    used = await makeUsedFolder()
  })
  afterAll(() => used.remove())
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    used.copyTo(dir)
    give(dir)
  })
  afterEach(async () => {
    await endAll()
    rmSync(dir, { recursive: true, force: true })
  })
}
