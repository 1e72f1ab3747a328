import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBuild } from '#server/bank/build-version.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'alder-build-'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '1.2.3' }))
})
afterEach(() => rmSync(root, { recursive: true }))

const COMMIT = 'f8cbbb2e58131119cdca9ffb078768f370e4d91f'

test('a release contains its commit, so that servers of two releases can be distinguished', () => {
  writeFileSync(join(root, 'release.json'), JSON.stringify({ version: '1.2.3', commit: COMMIT, node: '26' }))
  expect(readBuild(root)).toEqual({ version: '1.2.3', commit: 'f8cbbb2e5813' })
})

test('a clone reports the checked-out commit', () => {
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(root, '.git', 'packed-refs'), `# pack-refs\n${COMMIT} refs/heads/main\n`)
  expect(readBuild(root).commit).toBe('f8cbbb2e5813')
})

test('a folder without a commit reports only a version', () => {
  expect(readBuild(root)).toEqual({ version: '1.2.3', commit: 'unknown' })
})
