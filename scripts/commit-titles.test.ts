import { expect, test } from 'vitest'
import { titleFault } from './commit-titles.mjs'

test.each([
  'ledger: a hold expires on time',
  'app, tests: a sheet keeps its edits',
  'server/mail: one template',
  'Merge branch x',
])('accepts "%s"', (title) => expect(titleFault(title)).toBeNull())

test.each([
  'wip',
  'Ledger: a hold expires',
  'ledger:a hold',
  'ledger: ',
  `app: ${'x'.repeat(96)}`,
  'app: a sheet closes.',
])('refuses "%s"', (title) => expect(titleFault(title)).not.toBeNull())
