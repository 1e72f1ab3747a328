import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedTests, flakyTests, retriedTests } from './test.mjs'

test('names each test that needed a second try, with its file and its group', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] })
  const suite = {
    title: 'transfer.spec.ts',
    specs: [spec('sends', 'expected'), spec('is sent once', 'flaky')],
    suites: [{ title: 'dark', specs: [spec('is without violations', 'flaky'), spec('fails', 'unexpected')] }],
  }
  expect(flakyTests(suite)).toEqual([
    'transfer.spec.ts › is sent once',
    'transfer.spec.ts › dark › is without violations',
  ])
})

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
    {
      name: file('server/c.test.ts'),
      status: 'passed',
      assertionResults: [
        { fullName: 'adds', status: 'passed', failureMessages: [] },
        { fullName: 'hurries', status: 'passed', failureMessages: ['too late'] },
      ],
    },
  ]
  expect(failedTests(results)).toEqual([
    'server/a.test.ts › subtracts: expected 1 to be 2',
    'server/b.test.ts: no such module',
  ])
  expect(retriedTests(results)).toEqual(['server/c.test.ts › hurries: too late'])
})
