import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { derivedId, formerId } from '#server/ledger/derived-id.ts'
import { isDerived, isUuid } from '#server/platform/uuid.ts'

test('each slice derives ids in its own namespace', () => {
  let calls = 0
  for (const file of globSync('server/**/*.ts')) {
    const [, slice = ''] = file.split('/')
    if (slice === 'ledger' || file.endsWith('.test.ts')) continue
    // An example in a comment is not a call.
    const code = readFileSync(file, 'utf8').replaceAll(/^\s*\*.*$/gm, '')
    for (const [, named] of code.matchAll(/\bderivedIdentity\(\s*(\S+?),/g)) {
      expect([file, named]).toEqual([file, `'${slice}'`])
      calls += 1
    }
  }
  expect(calls).toBeGreaterThan(20)
})

test('different slices, causes and purposes have different ids, also from their former ones', () => {
  const causeId = randomUUID()
  const from = { slice: 'investing', causeId, purpose: 'take_back' }
  const ids = [
    derivedId(from),
    derivedId({ ...from, slice: 'disputes' }),
    derivedId({ ...from, causeId: randomUUID() }),
    derivedId({ ...from, purpose: 'fill' }),
    formerId(from),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect([isUuid(id), isDerived(id)]).toEqual([true, true])
  expect(derivedId({ ...from, causeId: causeId.toUpperCase() })).toBe(ids[0])
  // The id in the form before ids contained the slice.
  const cause = '00000000-0000-4000-8000-000000000001'
  expect(formerId({ slice: 'any', causeId: cause, purpose: 'expire' })).toBe('87620507-6730-82dd-b3d5-a4183baf89e8')
})
