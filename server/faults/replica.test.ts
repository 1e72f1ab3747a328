import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { openReplica } from '#server/platform/db/replica.ts'
import { UNMEASURED } from '#server/platform/telemetry/measures.ts'
import { runIn } from '#server/platform/db/run.ts'
import { openPrometheus } from '#server/platform/telemetry/prometheus.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { testContext } from '#server/test/context.ts'
import { sendWithProof } from '#server/test/step-up.ts'
import { type PeopleServer, type TestPerson, peopleServer } from '#server/test/people.ts'

const VERSIONS = '/usr/lib/postgresql'
const [version] = existsSync(VERSIONS) ? readdirSync(VERSIONS).toReversed() : []
const programs = join(VERSIONS, version ?? '', 'bin')
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

const isMissing = process.getuid?.() !== 0 || !existsSync(join(programs, 'pg_basebackup'))

test.runIf(isMissing)('without root and Debian’s PostgreSQL, the standby tests are skipped', () => {
  expect(isMissing).toBe(true)
})

/** The longest duration of a request while its replica fails, in milliseconds, on a busy machine. */
const BOUNDED_MS = 6_000
const RESTED_MS = 2_100

const PASSWORD = 'correct horse battery'

describe.skipIf(isMissing)('a bank with a standby', () => {
  let root: string
  let primaryPort: number
  let replicaPort: number
  let server: PeopleServer
  let ann: TestPerson
  let bob: TestPerson
  const prometheus = openPrometheus(pino({ level: 'silent' }))

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'alder-replica-'))
    chmodSync(root, 0o711)
    for (const name of ['primary', 'replica', 'log']) mkdirSync(join(root, name), { mode: 0o700 })
    execFileSync('chown', ['-R', 'postgres:', ...['primary', 'replica', 'log'].map((name) => join(root, name))])
    primaryPort = await freePort()
    runAsPostgres('initdb', '-D', join(root, 'primary'), '--auth=trust', '--encoding=UTF8', '--locale=C')
    start('primary', primaryPort)
    await query(primaryPort, 'postgres', 'CREATE ROLE alder_owner LOGIN CREATEROLE')
    await query(primaryPort, 'postgres', 'CREATE DATABASE alder OWNER alder_owner')
    await query(primaryPort, 'postgres', 'CREATE DATABASE other OWNER alder_owner')
    const ownerUrl = `postgres://alder_owner@127.0.0.1:${primaryPort}/alder`
    const secret = testContext('secret')
    const appUrl = await prepareDatabase({ ownerUrl, secret, mode: 'sample', timeZone: 'UTC' })
    replicaPort = await freePort()
    await makeReplica()
    server = await peopleServer({
      beside: { database: { ownerUrl, appUrl, drop: async () => undefined } },
      config: { replicaUrl: `postgres://127.0.0.1:${replicaPort}/alder` },
      measures: prometheus,
    })
    const passwordHash = await hashPassword(PASSWORD)
    ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com', passwordHash })
    bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
    await ann.fund(1_000_00)
  })
  afterAll(async () => {
    await server?.close()
    for (const name of ['replica', 'primary']) if (isUp(name)) stop(name)
    rmSync(root, { recursive: true, force: true })
  })

  /** Runs a program as PostgreSQL's user. */
  const runAsPostgres = (program: string, ...args: string[]): string =>
    execFileSync('runuser', ['-u', 'postgres', '--', join(programs, program), ...args], {
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const start = (name: string, port: number) => {
    const settings = '-c max_connections=200 -c max_standby_streaming_delay=0'
    const options = `-p ${port} -c unix_socket_directories='' ${settings}`
    const log = join(root, 'log', name)
    runAsPostgres('pg_ctl', '-D', join(root, name), '-w', '-t', '120', '-l', log, '-o', options, 'start')
  }
  const stop = (name: string) => runAsPostgres('pg_ctl', '-D', join(root, name), '-m', 'immediate', '-w', 'stop')
  const isUp = (name: string): boolean => existsSync(join(root, name, 'postmaster.pid'))
  const postmasterOf = (name: string): number =>
    Number(readFileSync(join(root, name, 'postmaster.pid'), 'utf8').split('\n')[0])

  /** Runs a statement as PostgreSQL's own user; returns the only value of its only row. */
  async function query(port: number, database: string, text: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/${database}` })
    await client.connect()
    try {
      const { rows } = await client.query(text)
      return Object.values(rows[0] ?? {})[0]
    } finally {
      await client.end()
    }
  }
  /** Starts the killed standby again once its child processes are gone. */
  async function startAgain(): Promise<void> {
    const isStarted = (): boolean => {
      try {
        start('replica', replicaPort)
        return true
      } catch {
        return false
      }
    }
    await expect.poll(isStarted).toBe(true)
  }
  const atReplica = (text: string) => query(replicaPort, 'postgres', text)

  async function makeReplica(): Promise<void> {
    if (isUp('replica')) stop('replica')
    // PostgreSQL owns the folder, so only its contents are replaced.
    for (const name of readdirSync(join(root, 'replica'))) rmSync(join(root, 'replica', name), { recursive: true })
    const from = `host=127.0.0.1 port=${primaryPort} user=postgres`
    runAsPostgres('pg_basebackup', '-D', join(root, 'replica'), '-d', from, '-R', '-X', 'stream', '-c', 'fast')
    start('replica', replicaPort)
  }

  /** Returns the number of requests that started at the replica and the number that fell back, since the last call. */
  let countsBefore = new Map<string, number>()
  async function countRequests(): Promise<Record<string, number>> {
    const lines = (await prometheus.text()).matchAll(
      /^alder_replica_(?:requests|fallbacks)_total\{\w+="(\w+)"\} (\d+)$/gm,
    )
    const now = new Map([...lines].map(([, name = '', value]) => [name, Number(value)]))
    const since = [...now].map(([name, value]): [string, number] => [name, value - (countsBefore.get(name) ?? 0)])
    countsBefore = now
    return Object.fromEntries(since.filter(([, value]) => value > 0))
  }

  let paidCount = 0
  async function pay(): Promise<void> {
    paidCount += 1
    const body = { recipient: bob.customer.email, amountMinor: 1_00 + paidCount, asset: 'USD' }
    const response = await ann.browser.post('/api/v1/transfers', body, { key: randomUUID() })
    expect(response.status).toBe(200)
  }
  /** Checks that the statement contains the last payment and every earlier one. */
  async function statesAll(): Promise<void> {
    const startedAt = performance.now()
    const month = 'from=2026-08-01&to=2026-08-28&format=csv'
    const response = await ann.browser.get(`/api/v1/statements/current/file?${month}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    for (let cents = 1; cents <= paidCount; cents += 1) expect(text).toContain(`-${((1_00 + cents) / 100).toFixed(2)}`)
    expect(performance.now() - startedAt).toBeLessThan(BOUNDED_MS)
  }
  /** Waits until the bank reads from the replica again. */
  async function waitUntilReadAgain(): Promise<void> {
    const readAtReplica = async () => {
      await statesAll()
      const { replica = 0 } = await countRequests()
      return replica
    }
    await expect.poll(readAtReplica, { interval: 500 }).toBe(1)
  }

  beforeEach(async () => {
    await waitUntilReadAgain()
  })

  test('reads statements from the standby, always including the latest payment', async () => {
    for (let round = 0; round < 20; round += 1) {
      await pay()
      await statesAll()
    }
    expect(await countRequests()).toEqual({ replica: 20 })
    const connectionCount = await atReplica(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'alder replica'",
    )
    expect(Number(connectionCount)).toBeGreaterThan(0)
  })

  test('reads downloads, analytics and reports from the standby, and sums of payments from the primary', async () => {
    await pay()
    const paths = ['analytics', 'analytics/forecast', 'analytics/recurring', 'carbon', 'crypto/tax-lots.csv?year=2026']
    for (const path of ['statements', ...paths]) {
      const response = await ann.browser.get(`/api/v1/${path}`)
      expect(response.status, `${path}: ${await response.text()}`).toBe(200)
    }
    const exportAnswer = await sendWithProof(ann.browser, ['GET', '/api/v1/profile/export'], { password: PASSWORD })
    const { accounts } = (await exportAnswer.json()) as { accounts: { transactions: { amountMinor: number }[] }[] }
    expect(accounts[0]?.transactions).toHaveLength(paidCount + 1)
    expect(accounts[0]?.transactions[0]?.amountMinor).toBe(-1_00 - paidCount)
    expect(await countRequests()).toEqual({ replica: 7 })
    const summed = `SELECT summed_version FROM bank.insight_account WHERE customer_id = '${ann.customer.id}'`
    expect(Number(await query(primaryPort, 'alder', summed))).toBe(paidCount + 1)
    const readExecutor = await server.deps.replica.reading(server.deps.db)
    const insert = CompiledQuery.raw(
      'INSERT INTO bank.payee_category (customer_id, payee, category) VALUES ($1, $2, $3)',
      [ann.customer.id, 'corner shop', 'food'],
    )
    await readExecutor.executeQuery(insert)
    expect(await query(primaryPort, 'alder', 'SELECT count(*)::int FROM bank.payee_category')).toBe(1)
    expect(await countRequests()).toEqual({ replica: 1, write: 1 })
  })

  test('does not read from a standby that has not replayed the last payment, until it has', async () => {
    await atReplica('SELECT pg_wal_replay_pause()')
    for (let round = 0; round < 3; round += 1) {
      await pay()
      await statesAll()
    }
    // The bank waits for the replica once and then skips it.
    expect(await countRequests()).toEqual({ replica: 1, behind: 1, primary: 2 })
    await sleep(RESTED_MS)
    await pay()
    await statesAll()
    expect(await countRequests()).toEqual({ primary: 1 })
    await atReplica('SELECT pg_wal_replay_resume()')
  })

  test('replaces a killed or paused standby by the primary at once', async () => {
    const reading = await server.deps.replica.reading(server.deps.db)
    const countCustomers = async () => (await runIn(reading)('SELECT count(*)::int AS count FROM bank.customer')).rows
    expect(await countCustomers()).toEqual([{ count: 2 }])
    process.kill(postmasterOf('replica'), 'SIGKILL')
    // The standby's processes need a moment to notice.
    await sleep(500)
    // A request that started at the replica continues at the primary.
    expect(await countCustomers()).toEqual([{ count: 2 }])
    expect(await countCustomers()).toEqual([{ count: 2 }])
    await pay()
    await statesAll()
    await statesAll()
    expect(await countRequests()).toEqual({ replica: 1, away: 1, primary: 2 })
    await startAgain()
    await waitUntilReadAgain()

    const processIds = [postmasterOf('replica'), ...childrenOf(postmasterOf('replica'))]
    for (const pid of processIds) process.kill(pid, 'SIGSTOP')
    await pay()
    await statesAll()
    for (const pid of processIds) process.kill(pid, 'SIGCONT')
    expect(await countRequests()).toEqual({ replica: 1, slow: 1 })
  })

  test('reads from a busy standby again when a connection is free', async () => {
    const sleepQueries = Array.from({ length: 8 }, async () => {
      const reading = await server.deps.replica.reading(server.deps.db)
      await reading.executeQuery(CompiledQuery.raw('SELECT pg_sleep(2)'))
    })
    await sleep(300)
    await statesAll()
    await Promise.all(sleepQueries)
    await statesAll()
    expect(await countRequests()).toEqual({ replica: 10, busy: 1 })
  })

  test('reads a statement that cannot wait for the log from the primary', async () => {
    const reading = await server.deps.replica.reading(server.deps.db)
    const runningQuery = reading.executeQuery(
      CompiledQuery.raw('SELECT count(*)::int AS count, pg_sleep(1.5) FROM bank.clock'),
    )
    await sleep(300)
    await query(primaryPort, 'alder', 'DO $$ BEGIN LOCK TABLE bank.clock IN ACCESS EXCLUSIVE MODE; END $$')
    expect((await runningQuery).rows).toMatchObject([{ count: 0 }])
    expect(await countRequests()).toEqual({ replica: 1, conflict: 1 })
  })

  test.each([
    ['the primary itself', () => primaryPort, 'alder'],
    ['another database of the same PostgreSQL', () => replicaPort, 'other'],
  ])('does not read from %s', async (_what, port, database) => {
    const loggedLines: Record<string, unknown>[] = []
    const log = pino({ base: null }, { write: (line) => loggedLines.push(JSON.parse(line)) })
    const { username } = new URL(String(server.deps.pool.options.connectionString))
    const url = `postgres://${username}@127.0.0.1:${port()}/${database}`
    const replica = openReplica({ url, log, measures: UNMEASURED })
    try {
      const reading = await replica.reading(server.deps.db)
      const { rows } = await reading.executeQuery(CompiledQuery.raw('SELECT count(*)::int AS count FROM bank.customer'))
      expect(rows).toEqual([{ count: 2 }])
      expect(loggedLines).toMatchObject([{ reason: 'elsewhere', msg: 'reads no longer use the replica' }])
    } finally {
      await replica.close()
    }
  })

  test('does not read from a promoted standby, even after writes to it', async () => {
    await atReplica('SELECT pg_promote()')
    await pay()
    await statesAll()
    await statesAll()
    expect(await countRequests()).toEqual({ replica: 1, elsewhere: 1, primary: 1 })
    await sleep(RESTED_MS)
    await statesAll()
    await sleep(500)
    await statesAll()
    expect(await countRequests()).toEqual({ primary: 2 })
    await makeReplica()
  })
})
