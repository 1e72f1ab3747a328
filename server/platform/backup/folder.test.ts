import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFolder, hexDigestOf, readBackupOwner, type BackupOwner } from '#server/platform/backup/folder.ts'

const bank: BackupOwner = { systemIdentifier: '7', timeline: 1, segmentBytes: 16_777_216, line: null }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'alder-folder-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('a folder of a newer format is refused in one sentence, for restores and for backups', async () => {
  const content = { format: 2, ...bank, more: 'that nobody knows yet' }
  writeFileSync(join(dir, 'bank.json'), JSON.stringify({ ...content, digest: hexDigestOf(JSON.stringify(content)) }))
  const newer = `${join(dir, 'bank.json')} was written by a newer version of Alder: restore it with that one.`
  await expect(readBackupOwner(dir)).rejects.toMatchObject({ name: 'StartError', message: newer })
  await expect(claimFolder(dir, bank)).rejects.toMatchObject({ name: 'StartError', message: newer })
})

test('a folder belongs to the first bank that claims it, and to no other', async () => {
  await claimFolder(dir, bank)
  await claimFolder(dir, bank)
  expect(await readBackupOwner(dir)).toMatchObject(bank)
  await expect(claimFolder(dir, { ...bank, systemIdentifier: '8' })).rejects.toThrow('the backups of another bank')
})
