import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testContext } from '#server/test/context.ts'
import { type PeopleServer, type TestPerson, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-held-'))
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Runs the command as `npm run held -- ...` does. */
function runHeld(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { DATA_DIR: dir, DATABASE_URL: server.database.ownerUrl, BANK_SECRET: testContext('secret') }
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; err: string }>()
  const options = { env: { PATH: process.env['PATH'], ...env } }
  const child = execFile(process.execPath, ['server/cli/held.ts', ...args], options, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return promise
}

test('a bank is held as of a moment, lists its waiting messages, and signs all customers out', async () => {
  expect(await runHeld()).toEqual({ code: 0, out: 'Nothing is held.', err: '' })
  expect((await ann.browser.get('/api/v1/dashboard')).status).toBe(200)
  expect(await runHeld('--hold', '2026-08-28T09:00:00Z')).toMatchObject({ code: 0, err: '' })
  const { rows } = await server.deps.pool.query('SELECT FROM bank.session')
  expect(rows).toEqual([])
  const list = await runHeld()
  expect(list.code).toBe(1)
  expect(list.out).toContain('The bank has all events until 2026-08-28T09:00:00.000Z, and holds:')
  for (const kind of ['changes', 'mail', 'texts', 'push', 'rails'])
    expect(list.out).toMatch(new RegExp(`^  ${kind} `, 'm'))
  expect(await runHeld('--release', 'rails')).toMatchObject({ code: 0, out: 'Released: rails.' })
  expect(await runHeld('--release', 'rails')).toMatchObject({ code: 0, out: 'Nothing of that kind was held.' })
  expect(await runHeld('--release', 'all')).toMatchObject({ code: 0, out: 'Released: changes, mail, texts, push.' })
})

test('operations that a provider has and the bank lacks are listed', async () => {
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  const [knownId, unknownId] = [randomUUID(), randomUUID()]
  const deposit = { amountMinor: 50_00, asset: 'USD', method: 'bank' }
  expect((await bob.browser.post('/api/v1/top-ups', deposit, { key: knownId })).status).toBe(200)
  const file = join(dir, 'ids')
  writeFileSync(file, `${knownId.toUpperCase()}\r\n\n${unknownId}\n${knownId.toUpperCase()}\n`)
  const comparison = await runHeld('--known', file)
  expect(comparison).toMatchObject({ code: 1, err: '' })
  expect(comparison.out).toMatch(/^top-up +1 known$/m)
  expect(comparison.out).toContain(`unknown       ${unknownId}\n2 ids, 1 of them unknown to the bank.`)
  expect(await runHeld('--known', join(dir, 'none'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read'),
  })
})

test.each([
  [['--release']],
  [['--release', 'money']],
  [['--hold', 'yesterday']],
  [['--hold', '2026-08-28T09:00:00Z', '--release', 'all']],
  [['all']],
])('the arguments %j are refused', async (args) => {
  expect(await runHeld(...args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Usage: npm run held/) })
})
