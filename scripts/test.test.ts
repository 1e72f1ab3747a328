import { expect, test } from 'vitest'
import { flakyTests } from './test.mjs'

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
