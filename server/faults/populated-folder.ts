import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { endAll, startBank } from '#server/faults/bank-process.ts'

/** A data folder of a bank that was started and stopped once. */
export type PopulatedFolder = {
  /** Copies the data folder into the empty folder `dir`. It takes a tenth of the time of a first start. */
  copyTo(dir: string): void
  remove(): void
}

export async function makePopulatedFolder(): Promise<PopulatedFolder> {
  const usedDir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
  const bank = await startBank({ dir: usedDir })
  await bank.end('SIGTERM')
  return {
    // PostgreSQL's user owns most of the files, so the copy must preserve owners.
    copyTo: (dir) => void execFileSync('cp', ['-a', `${usedDir}/.`, dir]),
    remove: () => rmSync(usedDir, { recursive: true, force: true }),
  }
}

/** Gives each test of a file a fresh copy of one used folder. After the test, its banks are ended and the copy is removed. */
export function eachInPopulatedFolder(give: (dir: string) => void): void {
  let populatedFolder: PopulatedFolder
  let dir: string
  beforeAll(async () => {
    populatedFolder = await makePopulatedFolder()
  })
  afterAll(() => populatedFolder.remove())
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    populatedFolder.copyTo(dir)
    give(dir)
  })
  afterEach(async () => {
    await endAll()
    rmSync(dir, { recursive: true, force: true })
  })
}
