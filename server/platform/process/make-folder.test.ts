import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '#server/platform/process/make-folder.ts'

const dir = mkdtempSync(join(tmpdir(), 'alder-folder-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('a folder is created with its parents, once', () => {
  const path = join(dir, 'a', 'b', 'c')
  makeFolder(path, 0o700)
  makeFolder(path, 0o711)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a folder that cannot be created is reported at once', () => {
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeFolder(join(dir, 'file'), 0o700)).toThrow('EEXIST')
  expect(() => makeFolder(join(dir, 'file', 'x'), 0o700)).toThrow('EEXIST')
  expect(() => makeFolder('/proc/alder/data', 0o700)).toThrow('/proc/alder')
})
