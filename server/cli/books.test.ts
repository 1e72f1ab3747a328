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
import { type TestLedger, testLedger, waitUntilSealable } from '#server/test/ledger.ts'

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

type CommandOptions = { cwd?: string; env?: Record<string, string> }
type CommandResult = { code: number; out: string; err: string }

function command(args: string[], { cwd = process.cwd(), env: more = {} }: CommandOptions = {}): Promise<CommandResult> {
  const bankOf = { DATA_DIR: dir, DATABASE_URL: bank.database.ownerUrl, BANK_SECRET: testContext('secret') }
  const env = { PATH: process.env['PATH'], ...bankOf, SEAL_FILE: join(dir, 'heads'), ...more }
  const { promise, resolve } = Promise.withResolvers<CommandResult>()
  const child = execFile(process.execPath, args, { env, cwd }, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return promise
}

const books = (...args: string[]) => command(['server/cli/books.ts', ...args])

/** Seals all operations and returns the head. The end of a seal would leave out operations beside an older SQL transaction. */
async function seal(): Promise<string> {
  await waitUntilSealable(bank.run)
  return (await command(['server/cli/seal.ts'])).out.split('\n').at(-1) ?? ''
}

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

test('a SEAL_FILE that cannot be read is reported in one sentence', async () => {
  mkdirSync(join(dir, 'heads'))
  expect(await books()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^SEAL_FILE cannot be read: .+\.$/),
  })
  rmdirSync(join(dir, 'heads'))
  writeFileSync(join(dir, 'heads'), '')
})

test('the books are checked from the last seal on, from the beginning with --all, and against a saved head', async () => {
  await book()
  expect((await books()).out).toMatch(/The books balance: 2 entries\.$/)
  const head = await seal()
  expect(head).toMatch(/^[0-9a-f]{64}$/)
  await book()
  const checkSinceSeal = await books('--head', head)
  expect(checkSinceSeal).toMatchObject({ code: 0, err: '' })
  expect(checkSinceSeal.out).toContain(`They came after seal 1`)
  const fullCheck = await books('--all', '--head', head)
  expect(fullCheck.code).toBe(0)
  expect(fullCheck.out).toContain('The books balance: 4 entries.')
  expect(fullCheck.out).toMatch(/Of the operations, \d+ were compared with their seals, up to seal 1 of /)

  const unknownHead = 'f'.repeat(64)
  const missingSealCheck = await books('--head', unknownHead)
  expect(missingSealCheck.code).toBe(1)
  expect(missingSealCheck.out).toContain(
    `WRONG  a seal is missing: --head has the head ${unknownHead}, and the last seal is 1`,
  )
  expect(await books('--head', 'f')).toMatchObject({ code: 1, err: 'npm run books [-- --all] [--head HASH]' })
})

test('the head in SEAL_FILE is compared each time, and --all names altered rows in sealed days', async () => {
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
  const fullCheck = await books('--all')
  expect(fullCheck.code).toBe(1)
  expect(fullCheck.out).toContain(`WRONG  operation ${id}: its transfers were altered since they were sealed`)

  writeFileSync(join(dir, 'heads'), `{"seal":2,"head":"${'e'.repeat(64)}"}\nnothing\n`)
  const other = await books()
  expect(other.code).toBe(1)
  expect(other.out).toContain(`WRONG  seal 2 was altered: SEAL_FILE has the head ${'e'.repeat(64)}, and it is ${head}`)
  expect(other.out).toContain('WRONG  SEAL_FILE has 1 lines without a head')
})

test('a row without its transaction is named, with --all and without', async () => {
  const id = await book()
  await runAsOwner(
    bank.database.ownerUrl,
    `ALTER TABLE ledger.operation DISABLE TRIGGER USER; ALTER TABLE ledger.account DISABLE TRIGGER USER;
     UPDATE ledger.operation SET posted_in = posted_in + 1000000000 WHERE id = '${id}';
     UPDATE ledger.account SET opened_in = opened_in + 1000000000 WHERE id = (SELECT max(id) FROM ledger.account)`,
  )
  for (const args of [[], ['--all']]) {
    const result = await books(...args)
    expect(result.code).toBe(1)
    expect(result.out).toMatch(
      new RegExp(`WRONG  operation ${id} belongs to a transaction that does not exist, \\d+, `),
    )
    expect(result.out).toMatch(/WRONG  account \d+ belongs to a transaction that does not exist/)
  }
  expect((await command(['server/cli/seal.ts'])).err).toContain(
    `operation ${id} belongs to a transaction that does not exist`,
  )
})

test('a missing or truncated SEAL_FILE is reported, with the next step', async () => {
  const ledger = await testLedger()
  const file = join(dir, 'others')
  const env = { DATABASE_URL: ledger.database.ownerUrl, SEAL_FILE: file }
  try {
    // Without seals there is no head to record.
    expect(await command(['server/cli/books.ts'], { env })).toMatchObject({ code: 0 })
    const [head] = (await command(['server/cli/seal.ts'], { env })).out.split('\n').slice(-1)
    const checkWithoutFile = await command(['server/cli/books.ts'], { env })
    expect(checkWithoutFile.code).toBe(1)
    expect(checkWithoutFile.out).toContain(`WRONG  SEAL_FILE is not there, so its heads were not compared: ${file}. `)
    writeFileSync(file, `{"seal":1,"head":"${head}"}\n{"seal":2,"head":"3f`)
    const failedRun = await command(['server/cli/books.ts'], { env })
    expect(failedRun).toMatchObject({ code: 0, out: expect.stringContaining('SEAL_FILE ends within a line') })
  } finally {
    await ledger.ledger.close()
    await ledger.pool.end()
    await ledger.database.drop()
  }
})

test.each(['books', 'seal', 'jobs', 'losses', 'reports', 'prices', 'date', 'reviewer'])(
  'npm run %s installs nothing: in a folder without its dependencies, it prints an error',
  async (name) => {
    const folder = mkdtempSync(join(dir, 'bare-'))
    cpSync('scripts', join(folder, 'scripts'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), readFileSync('package.json'))
    const result = await command(['scripts/alder.mjs', name], { cwd: folder })
    expect(result).toEqual({
      code: 1,
      out: '',
      err: `Alder is not installed in this folder: run \`npm start\` or \`npm ci\` first, then \`npm run ${name}\`.`,
    })
    expect(readdirSync(folder).toSorted()).toEqual(['package.json', 'scripts'])
  },
)
