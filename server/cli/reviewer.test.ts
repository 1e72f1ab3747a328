import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PeopleServer, peopleServer } from '#server/test/people.ts'
import { testContext } from '#server/test/context.ts'

let server: PeopleServer
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-reviewer-'))
  server = await peopleServer()
  await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await server.person({ fullName: 'Una Unsure', email: 'una@example.com', unconfirmed: ['email'] })
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

type CommandResult = { code: number; out: string; err: string }

/** Runs the command as `npm run reviewer -- ...` does. */
function reviewer(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const deps = { DATA_DIR: dir, DATABASE_URL: server.database.ownerUrl, BANK_SECRET: testContext('secret') }
  const { promise, resolve } = Promise.withResolvers<CommandResult>()
  const options = { env: { PATH: process.env['PATH'], ...deps, ...env } }
  const child = execFile(process.execPath, ['server/cli/reviewer.ts', ...args], options, (_error, out, err) =>
    resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
  )
  return promise
}

async function roleOf(email: string): Promise<string> {
  const { rows } = await server.deps.pool.query('SELECT role FROM bank.customer WHERE email = $1', [email])
  return rows[0].role
}

test('a customer is made a reviewer, in any spelling of the address, and the role is removed again', async () => {
  expect(await reviewer(['Ann@Example.com'])).toEqual({
    code: 0,
    out: 'Ann Lee (ann@example.com) is a reviewer now.',
    err: '',
  })
  expect(await roleOf('ann@example.com')).toBe('reviewer')
  expect((await reviewer(['ann@example.com'])).out).toBe('Ann Lee (ann@example.com) is a reviewer already.')
  expect((await reviewer(['ann@example.com', '--remove'])).out).toBe(
    'Ann Lee (ann@example.com) is no longer a reviewer.',
  )
  expect(await roleOf('ann@example.com')).toBe('customer')
  expect(await reviewer(['--remove', 'ann@example.com'])).toMatchObject({
    code: 0,
    out: 'Ann Lee (ann@example.com) is no reviewer.',
  })
})

test.each(['nobody@example.com', 'una@example.com'])('%s is not a customer with a confirmed address', async (email) => {
  expect(await reviewer([email])).toEqual({
    code: 1,
    out: '',
    err: `No customer has the email ${email}, or it is not confirmed.`,
  })
  expect(await roleOf('una@example.com')).toBe('customer')
})

test.each([[[]], [['ann@example.com', 'una@example.com']], [['--admin', 'ann@example.com']], [['ann']], [['']]])(
  'the arguments %j are refused',
  async (args) => {
    const result = await reviewer(args)
    expect(result).toMatchObject({ code: 2, out: '' })
    expect(result.err).toContain('Usage: npm run reviewer -- ann@example.com [--remove]')
    expect(await roleOf('ann@example.com')).toBe('customer')
  },
)

test('without a reachable bank, the command prints a sentence', async () => {
  const runWithoutBank = await reviewer(['ann@example.com'], { DATABASE_URL: '' })
  expect(runWithoutBank).toMatchObject({ code: 1, err: `No bank is running on ${dir}; start one with npm start.` })
  const runWithoutDatabase = await reviewer(['ann@example.com'], { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/alder' })
  expect(runWithoutDatabase).toMatchObject({
    code: 1,
    err: expect.stringContaining('The database at 127.0.0.1:1 does not let Alder in'),
  })
})

test.each([
  [
    { BANK_SECRET: 'another secret, which is long enough' },
    /^The secret is not the one that this database was made with: .+\.$/,
  ],
  [
    { BANK_MODE: 'live', PUBLIC_URL: 'https://bank.example', SMTP_URL: 'smtp://127.0.0.1:1' },
    /^This is the database of a sample bank, and BANK_MODE is live: .+\.$/,
  ],
  [{ BANK_MDOE: 'live' }, /^BANK_MDOE is not a variable of Alder's; .+\.$/],
])('a configuration of another bank, %j, is refused in one sentence', async (env, sentence) => {
  const result = await reviewer(['ann@example.com'], env)
  expect(result).toMatchObject({ code: 1, out: '', err: expect.stringMatching(sentence) })
  expect(await roleOf('ann@example.com')).toBe('customer')
})

test('the serving role cannot grant the reviewer role', async () => {
  const result = await reviewer(['ann@example.com'], { DATABASE_URL: server.database.appUrl })
  expect(result.code).toBe(1)
  expect(result.err).toContain('permission denied')
  expect(await roleOf('ann@example.com')).toBe('customer')
})
