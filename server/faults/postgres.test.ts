import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedCluster, startCluster } from '#server/platform/db/embedded.ts'
import type { PostgresPrograms } from '#server/platform/db/embedded-program.ts'
import { type BankProcess, endAll, NotStarted, startBank } from '#server/faults/bank-process.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { openBrowser } from '#server/test/browser.ts'

const run = promisify(execFile)

/** The folders of packages of other versions, from `npm run test:postgres`; by default Alder's own PostgreSQL. */
const FOLDERS = process.env['ALDER_TEST_POSTGRES']?.split(delimiter) ?? []

/** The first version whose initdb has the locale of Alder's own database. */
const BUILTIN_LOCALE_SINCE = 17

/** Returns the programs of a version in a folder. */
async function programsIn(folder: string): Promise<{ programs: PostgresPrograms }> {
  const [postgres, initdb] = [join(folder, 'native', 'bin', 'postgres'), join(folder, 'native', 'bin', 'initdb')]
  const { stdout } = await run(postgres, ['--version'])
  const major = Number(/\d+/.exec(stdout)?.[0])
  const locale = major < BUILTIN_LOCALE_SINCE ? { locale: ['--locale=C'] } : {}
  return { programs: { postgres, initdb, ...locale } }
}

/** Each test starts a bank three times, which takes minutes on a busy machine. */
const LIMIT = { timeout: 600_000 }

const SECRETS = ['the secret of the first bank, long enough', 'the secret of the second bank, long enough']

describe.each(FOLDERS.length > 0 ? FOLDERS : ['the PostgreSQL that Alder brings'])('%s', LIMIT, (folder) => {
  let dir: string
  let cluster: EmbeddedCluster
  let bank: BankProcess
  const start = async (settings: Record<string, string> = {}) =>
    (cluster = await startCluster({ dir, settings, ...(FOLDERS.length > 0 ? await programsIn(folder) : {}) }))
  const envOf = (BANK_SECRET: string | undefined, url = cluster.ownerUrl()) => ({
    BANK_SECRET: BANK_SECRET ?? '',
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
  })
  const refusal = (env: Record<string, string>) =>
    startBank({ dir, env }).catch((error: unknown) => error as NotStarted)

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    chmodSync(dir, 0o711)
    await start()
    bank = await startBank({ dir, env: envOf(SECRETS[0]) })
  })
  afterAll(async () => {
    await endAll()
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  test('payments, live events and the books', async () => {
    const payers = await openFaultPayers(bank.url)
    expect(await payers.send()).toBe(200)
    await payers.verify(bank.url)

    const watcher = openBrowser(() => bank.url)
    await watcher.post('/api/v1/session/visit')
    const events = await watcher.get('/api/v1/events')
    const message = readUntil(events, '"balance"')
    const funded = await watcher.post('/api/v1/top-ups', { amountMinor: 1_00, asset: 'USD', method: 'card' })
    expect(funded.status).toBe(200)
    expect(await message).toContain('"balance"')

    const books = await run(process.execPath, ['server/cli/books.ts'], {
      env: { PATH: process.env['PATH'], DATA_DIR: dir, ...envOf(SECRETS[0]) },
    })
    expect(books.stdout).toMatch(/The books balance: \d+ entries\./)
  })

  test('a second bank with another secret and owner starts, and the first continues, also after a restart', async () => {
    const owner = new Client({ connectionString: cluster.ownerUrl() })
    await owner.connect()
    await owner.query(`CREATE ROLE other_owner LOGIN CREATEROLE PASSWORD 'x'; GRANT other_owner TO current_user`)
    await owner.query('CREATE DATABASE other OWNER other_owner')
    await owner.end()
    const url = new URL(cluster.ownerUrl('other'))
    Object.assign(url, { username: 'other_owner', password: 'x' })
    const secondBank = await startBank({ dir: join(dir, 'second'), env: envOf(SECRETS[1], url.toString()) })
    for (const each of [bank, secondBank]) expect(await (await openFaultPayers(each.url)).send()).toBe(200)
    await bank.end('SIGTERM')
    bank = await startBank({ dir, env: envOf(SECRETS[0]) })
    for (const each of [bank, secondBank]) expect(await (await openFaultPayers(each.url)).send()).toBe(200)
    const stranger = (await refusal(envOf(SECRETS[0], url.toString()))) as NotStarted
    expect(stranger.message).toMatch(/^The secret is not the one that this database was made with: [^\n]+\.\n$/)
    await secondBank.end('SIGTERM')
  })

  test('a standby is refused in one sentence', async () => {
    await endAll()
    await cluster.stop()
    writeFileSync(join(dir, 'postgres', 'standby.signal'), '')
    await start({ hot_standby: 'on' })
    const error = (await refusal(envOf(SECRETS[0]))) as NotStarted
    expect(error.message).toBe('The database is a standby, which only reads: set DATABASE_URL to the primary.\n')
    expect(error.code).toBe(1)
  })
})

/** Reads a response until it contains `text` and returns the part read. */
async function readUntil(response: Response, text: string): Promise<string> {
  let output = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    output += part
    if (output.includes(text)) break
  }
  return output
}
