import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedTests } from './test.mjs'

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
