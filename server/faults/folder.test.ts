import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { endAll, isRunning, NotStarted, startBank } from '#server/faults/bank-process.ts'
import { makePopulatedFolder, type PopulatedFolder } from '#server/faults/populated-folder.ts'
import { openBrowser } from '#server/test/browser.ts'

let populatedFolder: PopulatedFolder
beforeAll(async () => {
  populatedFolder = await makePopulatedFolder()
})
afterAll(() => populatedFolder.remove())

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
})
afterEach(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

const pidFile = (): string => join(dir, 'postgres', 'postmaster.pid')
const postmasterPid = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0])
/** Starts a bank on a data folder that was used before. */
const openAgain = () => {
  populatedFolder.copyTo(dir)
  return startBank({ dir })
}
const refusal = (settings: Parameters<typeof startBank>[0]): Promise<unknown> =>
  startBank(settings).then(
    () => null,
    (error: unknown) => error,
  )

test('a second server on the same folder reports this in one sentence and does not disturb the first', async () => {
  const bank = await openAgain()
  const error = await refusal({ dir })
  expect(error).toBeInstanceOf(NotStarted)
  expect((error as NotStarted).code).toBe(1)
  expect((error as NotStarted).message).toBe(
    `Another Alder is already running on ${dir} (process ${bank.child.pid}); stop it first, or set DATA_DIR to another folder.\n`,
  )
  expect((await fetch(`${bank.url}/readyz`)).status).toBe(200)
})

test('SIGTERM stops all work cleanly within ten seconds, including open event streams', async () => {
  const bank = await openAgain()
  const browser = openBrowser(() => bank.url)
  await browser.post('/api/v1/session/visit')
  const stream = await browser.get('/api/v1/events')
  expect(stream.status).toBe(200)
  const postmaster = postmasterPid()
  const startedAt = performance.now()
  expect(await bank.end('SIGTERM')).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(isRunning(postmaster)).toBe(false)
  expect(existsSync(pidFile())).toBe(false)
  expect(readFileSync(join(dir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/)
  await stream.body?.cancel().catch(() => undefined)
})

test('a postmaster left behind is stopped, and the start takes less than ten seconds', async () => {
  const first = await openAgain()
  const leftover = postmasterPid()
  await first.end('SIGKILL')
  expect(isRunning(leftover)).toBe(true)
  const second = await startBank({ dir })
  expect(second.startMs).toBeLessThan(10_000)
  expect(postmasterPid()).not.toBe(leftover)
  expect(isRunning(leftover)).toBe(false)
})

test('a stale pid file that names another process neither prevents the start nor stops that process', async () => {
  const first = await openAgain()
  const contents = readFileSync(pidFile(), 'utf8')
  await first.end('SIGTERM')
  const otherProcess = spawn('sleep', ['60'])
  writeFileSync(pidFile(), contents.replace(/^\d+/, String(otherProcess.pid)))
  const second = await startBank({ dir })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  expect(otherProcess.exitCode).toBe(null)
  otherProcess.kill()
  await once(otherProcess, 'exit')
})

test('an incomplete folder of a killed first start is created again', async () => {
  mkdirSync(join(dir, 'postgres.new', 'base'), { recursive: true })
  writeFileSync(join(dir, 'postgres.password'), 'of another day')
  const bank = await startBank({ dir })
  expect((await fetch(`${bank.url}/readyz`)).status).toBe(200)
  expect(existsSync(join(dir, 'postgres.new'))).toBe(false)
  expect(existsSync(join(dir, 'postgres.password'))).toBe(false)
})

test('secrets are readable only by their owner', async () => {
  await startBank({ dir })
  for (const name of ['secret', 'database-password', 'postgres.log']) {
    expect(statSync(join(dir, name)).mode & 0o077).toBe(0)
  }
  expect(statSync(join(dir, 'postgres')).mode & 0o077).toBe(0)
})

test('both loopback addresses lead to the bank, and a configured port that is in use is named', async () => {
  const first = await openAgain()
  const { port } = new URL(first.url)
  for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
    expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200)
  }
  const otherDir = join(dir, 'other')
  const error = (await refusal({ dir: otherDir, env: { PORT: port } })) as NotStarted
  expect(error.message).toBe(`PORT ${port} is taken by another program; set PORT to a free one.\n`)
  expect(error.code).toBe(1)
  expect(existsSync(join(otherDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a folder whose secret does not match its database is not opened', async () => {
  populatedFolder.copyTo(dir)
  writeFileSync(join(dir, 'secret'), 'another secret, which is long enough')
  const error = (await refusal({ dir })) as NotStarted
  expect(error.message).toMatch(/^The secret is not the one that this database was made with: [^\n]+\.\n$/)
  expect(error.code).toBe(1)
})

test.each([
  [{ BANK_TIME_ZONE: '+02:00' }, 'BANK_TIME_ZONE must be the name of a time zone, as Europe/Berlin, not "+02:00".\n'],
  [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535, not "eighty".\n'],
  [
    { BANK_MDOE: 'live' },
    /^BANK_MDOE is not a variable of Alder's; those that begin with BANK_ are BANK_MODE, BANK_SECRET, .+\.\n$/,
  ],
  [{ BANK_MODE: 'live' }, 'DATABASE_URL must be set when BANK_MODE is live.\n'],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^The database at 127\.0\.0\.1:1 does not let Alder in: .+\.\n$/,
  ],
])('%o stops the start with one sentence', async (env, sentence) => {
  const error = (await refusal({ dir, env })) as NotStarted
  expect(error.message).toMatch(sentence)
  expect(error.code).toBe(1)
})
