import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner } from '#server/test/database.ts'
import { type TestLedger, testLedger } from '#server/test/ledger.ts'

let bank: TestLedger
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-books-'))
  bank = await testLedger()
})
afterAll(async () => {
  await bank.ledger.close()
  await bank.pool.end()
  await bank.database.drop()
  rmSync(dir, { recursive: true, force: true })
})

type Said = { code: number; out: string; err: string }

function command(args: string[], cwd = process.cwd()): Promise<Said> {
  const bankOf = { DATA_DIR: dir, DATABASE_URL: bank.database.ownerUrl, BANK_SECRET: testContext('secret') }
  const env = { PATH: process.env['PATH'], ...bankOf, SEAL_FILE: join(dir, 'heads') }
  const { promise, resolve } = Promise.withResolvers<Said>()
  const child = execFile(process.execPath, args, { env, cwd }, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return promise
}

const books = (...args: string[]) => command(['server/cli/books.ts', ...args])
const seal = async (): Promise<string> => (await command(['server/cli/seal.ts'])).out.split('\n').at(-1) ?? ''

async function book(): Promise<string> {
  const [account = 0] = await openAccounts(bank.run, [{ holderId: randomUUID(), code: 'current', asset: 'USD' }])
  const id = randomUUID()
  await bank.ledger.post({
    id,
    kind: 'test',
    fingerprint: 'test',
    bookedAt: new Date(),
    legs: [{ kind: 'transfer', debit: bankAccount('ach_clearing'), credit: account, amountMinor: 100 }],
  })
  return id
}

test('a SEAL_FILE that cannot be read is told in one sentence', async () => {
  mkdirSync(join(dir, 'heads'))
  expect(await books()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^SEAL_FILE cannot be read: .+\.$/),
  })
  rmdirSync(join(dir, 'heads'))
})

test('the books are proved from the last seal on, with --all from the beginning, and against a head that was kept', async () => {
  await book()
  expect((await books()).out).toMatch(/The books balance: 2 entries\.$/)
  const head = await seal()
  expect(head).toMatch(/^[0-9a-f]{64}$/)
  await book()
  const since = await books('--head', head)
  expect(since).toMatchObject({ code: 0, err: '' })
  expect(since.out).toContain(`They came after seal 1`)
  const all = await books('--all', '--head', head)
  expect(all.code).toBe(0)
  expect(all.out).toContain('The books balance: 4 entries.')
  expect(all.out).toMatch(/Of the operations, \d+ were compared with what was sealed, up to seal 1 of /)

  const unknown = 'f'.repeat(64)
  const missing = await books('--head', unknown)
  expect(missing.code).toBe(1)
  expect(missing.out).toContain(`WRONG  a seal is missing: --head has the head ${unknown}, and the last seal is 1`)
  expect(await books('--head', 'f')).toMatchObject({ code: 1, err: 'npm run books [-- --all] [--head HASH]' })
})

test('a head in SEAL_FILE is compared each time, and what was altered in what is sealed is named with --all', async () => {
  const id = await book()
  const head = await seal()
  writeFileSync(join(dir, 'heads'), `{"seal":2,"head":"${head}"}\n`)
  expect(await books()).toMatchObject({ code: 0 })
  await runAsOwner(
    bank.database.ownerUrl,
    `ALTER TABLE ledger.transfer DISABLE TRIGGER USER;
     UPDATE ledger.transfer SET credit_name = 'Other' WHERE operation_id = '${id}'`,
  )
  expect(await books()).toMatchObject({ code: 0 })
  const all = await books('--all')
  expect(all.code).toBe(1)
  expect(all.out).toContain(`WRONG  operation ${id}: its transfers were altered since they were sealed`)

  writeFileSync(join(dir, 'heads'), `{"seal":2,"head":"${'e'.repeat(64)}"}\nnothing\n`)
  const other = await books()
  expect(other.code).toBe(1)
  expect(other.out).toContain(`WRONG  seal 2 was altered: SEAL_FILE has the head ${'e'.repeat(64)}, and it is ${head}`)
  expect(other.out).toContain('WRONG  SEAL_FILE has 1 lines that say no head')
})

test.each(['books', 'seal', 'jobs', 'losses', 'reports', 'prices', 'date', 'reviewer'])(
  'npm run %s installs nothing: in a folder without what it needs, it says so',
  async (name) => {
    const folder = mkdtempSync(join(dir, 'bare-'))
    cpSync('scripts', join(folder, 'scripts'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), readFileSync('package.json'))
    const said = await command(['scripts/alder.mjs', name], folder)
    expect(said).toEqual({
      code: 1,
      out: '',
      err: `Alder is not installed in this folder: run \`npm start\` or \`npm ci\` first, then \`npm run ${name}\`.`,
    })
    expect(readdirSync(folder).toSorted()).toEqual(['package.json', 'scripts'])
  },
)
