import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newestPrograms } from '#server/platform/backup/restore-pgbackrest.ts'

test('the newest PostgreSQL is the newest complete installation, not only its client', () => {
  const debians = mkdtempSync(join(tmpdir(), 'alder-debians-'))
  const add = (version: string, program: string): void => {
    mkdirSync(join(debians, version, 'bin'), { recursive: true })
    writeFileSync(join(debians, version, 'bin', program), '')
  }
  try {
    expect(newestPrograms(debians)).toBe(join(debians, 'bin'))
    for (const version of ['9', '17', '15']) add(version, 'postgres')
    add('18', 'psql')
    expect(newestPrograms(debians)).toBe(join(debians, '17', 'bin'))
    expect(newestPrograms(join(debians, 'none'))).toBe(join(debians, 'none', 'bin'))
  } finally {
    rmSync(debians, { recursive: true })
  }
})
