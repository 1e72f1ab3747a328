import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const run = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, ['server/cli/clearing.ts', ...args], { encoding: 'utf8' })
  return { status, stderr }
}

test('a future day is not settled, because later payments of that day would be left out', () => {
  expect(run('none.json', '--settle', '--day', '2999-01-01')).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^2999-01-01 is still to come: it is \d{4}-\d\d-\d\d \(UTC\)\.\n$/),
  })
  expect(run('none.json', '--settle', '--day', '2026-01-01').stderr).toMatch(/none\.json cannot be read/)
  for (const args of [
    ['--day', '2026-01-01'],
    ['--settle', '--day', '2026-02-30'],
    ['--settle', '--compare'],
  ])
    expect(run('none.json', ...args).stderr).toMatch(/^Usage: /)
})
