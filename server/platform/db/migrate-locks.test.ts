import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotate } from '#server/boot/rotate.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase } from '#server/test/database.ts'
import { laterMigrations } from '#server/test/later-migrations.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

/**
 * The longest accepted time of a payment, in milliseconds. A migration waits two seconds for a lock, and a payment behind the
 * migration waits as long. Without that limit, the payment in each test would wait seven seconds. The time above two seconds is
 * a margin for a busy machine.
 */
const LONGEST_MS = 6_000

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson
beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
  await ann.fund(1_000_00)
})
afterAll(() => server.close())

test('a migration that a long transaction keeps from its lock delays no payment, and names the transaction', async () => {
  const sql = '-- compatible from: 0461\nALTER TABLE bank.customer ADD COLUMN later text;'
  const future = laterMigrations('9000_later.sql', sql)
  const reportClient = new pg.Client({ connectionString: server.database.ownerUrl, application_name: 'a long report' })
  await reportClient.connect()
  await reportClient.query('BEGIN')
  const { rows } = await reportClient.query('SELECT pg_backend_pid() AS pid, count(*) FROM bank.customer')
  const claim = { ownerUrl: server.database.ownerUrl, secret: testContext('secret'), mode: 'sample' as const }
  const migrating = migrate({ ...claim, directory: future.directory, patienceMs: 7_000 }).then(
    () => null,
    (error: unknown) => error as Error,
  )
  let isMigrating = true
  void migrating.then(() => (isMigrating = false))
  const durations: number[] = []
  try {
    while (isMigrating) {
      const startedAt = performance.now()
      const answer = await ann.browser.post('/api/v1/transfers', {
        recipient: ben.customer.email,
        amountMinor: 1,
        asset: 'USD',
      })
      expect(answer.status).toBe(200)
      durations.push(performance.now() - startedAt)
    }
    expect(durations.length).toBeGreaterThan(5)
    expect(Math.max(...durations)).toBeLessThan(LONGEST_MS)
    const error = await migrating
    expect(error).toMatchObject({ name: 'StartError' })
    expect(error?.message).toMatch(/^The migration 9000_later\.sql did not get its lock within 7 seconds, .+\.$/s)
    expect(error?.message).toContain(`SELECT pg_terminate_backend(${rows[0].pid});`)
    expect(error?.message).toContain('a long report')
    await reportClient.query('COMMIT')
    await migrate({ ...claim, directory: future.directory })
    expect((await reportClient.query('SELECT later FROM bank.customer LIMIT 1')).rows).toHaveLength(1)
  } finally {
    await reportClient.end()
    future.remove()
  }
})

test('a migration that many transactions keep from its locks in turn holds its other locks no longer than for one', async () => {
  const tables = ['first', 'second', 'third', 'fourth'].map((name) => `bank.lock_${name}`)
  const sql = `-- compatible from: 0461\n${tables.map((table) => `LOCK TABLE ${table};`).join('\n')}`
  const future = laterMigrations('9002_locks.sql', sql)
  const claim = { ownerUrl: server.database.ownerUrl, secret: testContext('secret'), mode: 'sample' as const }
  const connect = async () => {
    const client = new pg.Client({ connectionString: server.database.ownerUrl })
    await client.connect()
    return client
  }
  const holders = await Promise.all(tables.map(connect))
  const reader = await connect()
  let isDone = false
  try {
    for (const table of tables) await reader.query(`CREATE TABLE ${table} ()`)
    const holding = holders.map(async (client, place) => {
      await client.query(`BEGIN; LOCK TABLE ${tables[place]} IN ACCESS SHARE MODE`)
      await sleep(1_800 * (place + 1))
      await client.query('COMMIT')
    })
    await sleep(200)
    const migrating = migrate({ ...claim, directory: future.directory }).finally(() => (isDone = true))
    const durations: number[] = []
    while (!isDone) {
      const startedAt = performance.now()
      await reader.query(`SELECT FROM ${tables[0]}`)
      durations.push(performance.now() - startedAt)
      await sleep(20)
    }
    await Promise.all([migrating, ...holding])
    // The payment waited for one lock only. For all of the locks together it would have waited seven seconds.
    expect(Math.max(...durations)).toBeGreaterThan(1_000)
    expect(Math.max(...durations)).toBeLessThan(LONGEST_MS)
  } finally {
    await Promise.all([...holders, reader].map((client) => client.end()))
    future.remove()
  }
})

test('a server that waits for another to prepare the database names it, and gives up in the end', async () => {
  const other = new pg.Client({ connectionString: server.database.ownerUrl, application_name: 'another server' })
  await other.connect()
  const claim = { ownerUrl: server.database.ownerUrl, secret: testContext('secret'), mode: 'sample' as const }
  const messages: string[] = []
  const report = (sentence: string) => void messages.push(sentence)
  const { rows } = await other.query('SELECT pg_backend_pid() AS pid')
  const remedy = `SELECT pg_terminate_backend(${rows[0].pid});`
  try {
    for (const [lock, waiter, work] of [
      [4_117_203_311, 'The preparation of the database', () => migrate({ ...claim, report, lockPatienceMs: 4_000 })],
      [4_117_203_313, 'The change of secrets', () => rotate(claim, report, { patienceMs: 4_000 })],
    ] as const) {
      await other.query('SELECT pg_advisory_lock($1)', [lock])
      const error = await work().catch((thrown: unknown) => thrown as Error)
      expect(error).toMatchObject({ name: 'StartError' })
      expect((error as Error).message).toMatch(
        new RegExp(`^${waiter} did not get its lock within 4 seconds, .+\\.$`, 's'),
      )
      expect((error as Error).message).toContain(remedy)
      expect(messages.splice(0)).toEqual([expect.stringMatching(`^${waiter} waits for its lock: .+another server`)])
      await other.query('SELECT pg_advisory_unlock_all()')
    }
    await migrate({ ...claim, report })
    expect(messages).toEqual([])
  } finally {
    await other.end()
  }
})

test('a migration that takes too long is undone, for any number of statements', async () => {
  const statements = Array.from({ length: 8 }, () => 'SELECT pg_sleep(0.25);').join('\n')
  const sql = `-- compatible from: 0461\nALTER TABLE bank.customer ADD COLUMN slow text;\n${statements}`
  const future = laterMigrations('9001_slow.sql', sql)
  const claim = { ownerUrl: server.database.ownerUrl, secret: testContext('secret'), mode: 'sample' as const }
  try {
    const error = await migrate({ ...claim, directory: future.directory, limitMs: 1_000 }).catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'StartError' })
    expect(error.message).toMatch(/^The migration 9001_slow\.sql took longer than 1 seconds, so it was rolled back/)
    const column = `SELECT FROM pg_attribute WHERE attrelid = 'bank.customer'::regclass AND attname = 'slow'`
    expect((await server.deps.pool.query(column)).rowCount).toBe(0)
    await migrate({ ...claim, directory: future.directory })
    expect((await server.deps.pool.query(column)).rowCount).toBe(1)
  } finally {
    future.remove()
  }
})

test.each(['0472_period_of_each_row_is_proved.sql', '0492_period_of_each_notice_is_proved.sql'])(
  '%s, which only validates data and delays no request, may take as long as the bank is large',
  async (name) => {
    const migrationText = readFileSync(`server/platform/db/migrations/${name}`, 'utf8')
    expect(migrationText.replaceAll(/^--.*$/gm, '').trim()).toMatch(
      /^(ALTER TABLE [\w.]+ VALIDATE CONSTRAINT \w+;\s*)+$/,
    )
    const reportClient = laterMigrations(name, '-- compatible from: 0447\nSELECT pg_sleep(0.6);')
    const olderDatabase = await testDatabase('template0')
    const claim = { ownerUrl: olderDatabase.ownerUrl, secret: testContext('secret'), mode: 'sample' as const }
    try {
      await migrate({ ...claim, upTo: name.slice(0, 4) })
      await expect(
        migrate({ ...claim, directory: reportClient.directory, upTo: name, limitMs: 100 }),
      ).resolves.toContain('postgres://')
    } finally {
      reportClient.remove()
      await olderDatabase.drop()
    }
  },
)
