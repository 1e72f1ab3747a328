import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { allSeals, lastSeal } from '#server/ledger/seals/sealing.ts'
import { checkChain } from '#server/ledger/seals/verify.ts'
import { runIn } from '#server/platform/db/run.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { isSigned } from '#server/platform/signature.ts'
import { sealBooks, sealJob } from '#server/seals/seal-books.ts'
import { headsIn, publishHeadJob } from '#server/seals/publish-heads.ts'
import { testClock, type TestDeps, testDeps } from '#server/test/bank.ts'
import { waitUntilSealable } from '#server/test/ledger.ts'

const SECRET = 'the secret of whoever keeps the heads'
const DAY_MS = 24 * 60 * 60_000

const clock = testClock()
const dir = mkdtempSync(join(tmpdir(), 'alder-seals-'))
const file = join(dir, 'heads')
const mails: { to: string[]; text: string }[] = []
const posts: { body: string; signed: boolean; key: unknown }[] = []
let status = 200
let bank: TestDeps

const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, done) {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
      done()
    })
  },
})
const keeper = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => (body += part.toString()))
  request.on('end', () => {
    const { headers } = request
    const signed = { timestamp: String(headers['alder-timestamp']), signature: String(headers['alder-signature']) }
    posts.push({ body, signed: isSigned(SECRET, body, signed, clock.realNow()), key: headers['idempotency-key'] })
    response.writeHead(status).end()
  })
})

beforeAll(async () => {
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  smtp.listen(0, '127.0.0.1', resolve)
  keeper.listen(0, '127.0.0.1')
  await Promise.all([listening, once(keeper, 'listening')])
  const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  const url = `http://127.0.0.1:${port(keeper)}/heads`
  bank = await testDeps({
    clock,
    config: {
      smtpUrl: `smtp://127.0.0.1:${port(smtp.server)}`,
      sealHeads: { file, mail: 'audit@example.com', url: { url, secret: SECRET, timeoutMs: 2_000 } },
    },
  })
})
afterAll(async () => {
  await bank.close()
  smtp.close()
  keeper.close()
  rmSync(dir, { recursive: true })
})

async function book(): Promise<void> {
  const run = runIn(bank.deps.db)
  const [account = 0] = await openAccounts(run, [{ holderId: randomUUID(), code: 'current', asset: 'USD' }])
  await bank.deps.ledger.post({
    id: randomUUID(),
    kind: 'test',
    fingerprint: 'test',
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit: bankAccount('ach_clearing'), credit: account, amountMinor: 100 }],
  })
}

test('each past day is sealed once, and missed days with the next', async () => {
  const { deps } = bank
  await book()
  expect(await sealJob.isDue?.(deps)).toBe(true)
  await sealJob.run(deps, {})
  expect(await lastSeal(runIn(deps.db))).toMatchObject({ number: 1, day: '2026-08-27' })
  expect(await sealJob.isDue?.(deps)).toBe(false)

  clock.set(new Date(clock.businessNow().getTime() + 3 * DAY_MS))
  expect(await sealJob.isDue?.(deps)).toBe(true)
  await sealJob.run(deps, {})
  expect(await lastSeal(runIn(deps.db))).toMatchObject({ number: 2, day: '2026-08-30' })
  expect(await sealJob.isDue?.(deps)).toBe(false)
  expect(await checkChain(runIn(deps.db))).toEqual([])
})

test('a run that takes too long is continued by the next', async () => {
  for (let n = 0; n < 6; n += 1) await book()
  await waitUntilSealable(runIn(bank.deps.db))
  const sizes = { blockRows: 2, stepBlocks: 1 }
  let runs = 1
  while (!(await sealBooks(bank.deps, { withinMs: 0, sizes }))) runs += 1
  expect(runs).toBeGreaterThan(3)
  expect(await checkChain(runIn(bank.deps.db))).toEqual([])
})

test('the head of each seal is sent to all keepers, retried after a failure, and stored once', async () => {
  const { deps } = bank
  status = 503
  const jobs = await startJobs(deps, [publishHeadJob])
  const seals = (await allSeals(runIn(deps.db))).slice(1)
  const heads = seals.map(({ head }) => head)
  try {
    await vi.waitFor(() => expect(posts.length).toBeGreaterThanOrEqual(heads.length), 15_000)
    status = 200
    await deps.pool
      .query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0')
      .catch(() => null)
    await vi.waitFor(() => {
      expect(headsIn(readFileSync(file, 'utf8'))).toEqual({
        unread: 0,
        isCutOff: false,
        heads: expect.arrayContaining(seals.map(({ number, head }) => ({ number, head, from: 'SEAL_FILE' }))),
      })
      for (const head of heads) expect(mails.some(({ text }) => text.includes(head))).toBe(true)
    }, 15_000)
  } finally {
    await jobs.stop()
  }
  expect(mails.every(({ to }) => to.join() === 'audit@example.com')).toBe(true)
  expect(
    posts.every(({ signed, key, body }) => signed && heads.includes(String(key)) && body.includes(String(key))),
  ).toBe(true)
  const first = seals[0]?.number ?? 0
  status = 503
  await expect(publishHeadJob.run(deps, { number: first, keeper: 'url' })).rejects.toThrow('SEAL_URL answered 503')
  status = 200
  await publishHeadJob.run(deps, { number: first, keeper: 'url' })
  const before = readFileSync(file, 'utf8')
  await publishHeadJob.run(deps, { number: first, keeper: 'file' })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a line of the file that was cut off by a crash affects no other, and is ignored after it was written again', async () => {
  const publishHead = (number: number) => publishHeadJob.run(bank.deps, { number, keeper: 'file' })
  const readHeads = () => {
    const { heads, ...rest } = headsIn(readFileSync(file, 'utf8'))
    return { ...rest, seals: heads.map(({ number }) => number) }
  }
  rmSync(file)
  await publishHead(1)
  const whole = readFileSync(file, 'utf8')
  // The cut may be anywhere, also after the head.
  for (const bytes of [12, whole.length - 2]) {
    writeFileSync(file, whole.slice(0, bytes))
    expect(readHeads()).toEqual({ unread: 0, isCutOff: true, seals: [] })
    await publishHead(2)
    expect(readHeads()).toEqual({ unread: 1, isCutOff: false, seals: [2] })
    await publishHead(1)
    expect(readHeads()).toEqual({ unread: 0, isCutOff: false, seals: [2, 1] })
  }
  // A line that lacks only its newline is complete.
  writeFileSync(file, whole.slice(0, -1))
  await publishHead(1)
  await publishHead(2)
  expect(readHeads()).toEqual({ unread: 0, isCutOff: false, seals: [1, 2] })
  writeFileSync(file, `nothing\n${whole}`)
  expect(readHeads()).toMatchObject({ unread: 1 })
})
