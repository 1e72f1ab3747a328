import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failedTests, filesToTryAgain } from './test.mjs'

test('names each unit test that failed with why, and each file that did not load', () => {
  const file = (name: string) => join(process.cwd(), name)
  const results = [
    {
      name: file('server/a.test.ts'),
      status: 'failed',
      assertionResults: [
        { fullName: 'adds', status: 'passed' },
        { fullName: 'subtracts', status: 'failed', failureMessages: ['expected 1 to be 2'] },
      ],
    },
    { name: file('server/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
  ]
  expect(failedTests(results)).toEqual([
    'server/a.test.ts › subtracts: expected 1 to be 2',
    'server/b.test.ts: no such module',
  ])
})

describe('the second attempt', () => {
  const file = (name: string, failureMessages: string[], failed = 1) => ({
    name: join(process.cwd(), name),
    status: 'failed',
    assertionResults: [
      { fullName: 'adds', status: 'passed' },
      ...Array.from({ length: failed }, () => ({ fullName: 'subtracts', status: 'failed', failureMessages })),
    ],
  })
  const loadedFile = { name: join(process.cwd(), 'server/c.test.ts'), status: 'passed', assertionResults: [] }

  test('runs the files with a few failed tests', () => {
    const results = [file('server/a.test.ts', ['timed out']), loadedFile, file('web/b.test.ts', ['expected 1 to be 2'])]
    expect(filesToTryAgain(results)).toEqual(['server/a.test.ts', 'web/b.test.ts'])
  })

  test.each([
    ['nothing failed', [loadedFile]],
    ['a file did not load', [file('server/a.test.ts', ['timed out']), { ...loadedFile, status: 'failed' }]],
    ['a property has a counterexample', [file('server/a.test.ts', ['Error: Property failed after 3 tests'])]],
    ['many tests failed', [file('server/a.test.ts', ['timed out'], 3), file('web/b.test.ts', ['timed out'], 3)]],
  ])('does not happen if %s', (_, results) => expect(filesToTryAgain(results)).toBeNull())
})
