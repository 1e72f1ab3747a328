import { afterEach, beforeEach, expect, test } from 'vitest'
import { SLICES } from '#server/api.ts'
import { readPaymentsSince, summedAccounts } from '#server/insights/history/history.ts'
import { payeeMonthsBackfill } from '#server/insights/history/payee-months.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { runOn } from '#server/platform/db/run.ts'
import { defineBackfill, openBackfills } from '#server/platform/jobs/backfill.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner } from '#server/test/database.ts'
import { type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
beforeEach(async () => {
  server = await peopleServer()
})
afterEach(() => server.close())

const asOwner = (text: string, values?: unknown[]) => runAsOwner(server.database.ownerUrl, text, values)
const query = async (text: string) => (await runOn(server.deps.pool)(text)).rows
const isDue = () => payeeMonthsBackfill.isDue?.(server.deps)

/** Registers a running server of a version that did not announce its level. */
async function olderServer(): Promise<() => Promise<void>> {
  const client = await server.deps.pool.connect()
  await client.query('SELECT pg_advisory_lock_shared($1::int, 7)', [0x73657276])
  return async () => client.release(true)
}

test('each backfill that a migration adds is done by a job', async () => {
  const jobs = new Set(SLICES.flatMap((slice) => ('jobs' in slice ? slice.jobs.map(({ name }) => name) : [])))
  for (const { name } of await query('SELECT name FROM bank.backfill')) expect(jobs).toContain(name)
})

test('months that an older server left out are corrected after it is gone, and again after another has come', async () => {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(100_00)
  const detail = { debitName: 'Grocer', creditName: 'Grocer', category: 'food' as const }
  await bookCardPayment(server, ann, { amountMinor: 5_00, bookedAt: new Date('2026-08-02T12:00:00Z'), detail })
  const readPayments = async () =>
    readPaymentsSince(server.deps.db, await summedAccounts(server.deps, ann.customer.id), '2026-08-01')
  const right = await readPayments()
  expect(right.length).toBeGreaterThan(0)
  // This is the state that a server from before migration 0390 leaves.
  await asOwner('DELETE FROM bank.payee_month')
  expect(await readPayments()).toEqual([])

  const leave = await olderServer()
  expect(await isDue()).toBe(false)
  await payeeMonthsBackfill.work(server.deps)
  expect(await openBackfills(runOn(server.deps.pool))).toEqual([
    { name: 'insights.payee_months', rows: 0, waitsFor: '; waits until no server older than 0390 runs' },
  ])
  await leave()
  await expect.poll(isDue).toBe(true)
  expect(await openBackfills(runOn(server.deps.pool))).toMatchObject([{ waitsFor: '' }])
  await payeeMonthsBackfill.work(server.deps)
  expect(await isDue()).toBe(false)
  expect(await readPayments()).toEqual(right)

  // An older version that does not maintain the backfilled data opens the database, so the newer version must repeat the
  // backfill.
  await asOwner('UPDATE bank.backfill SET kept_from = 9000')
  await migrate({ ownerUrl: server.database.ownerUrl, secret: testContext('secret'), mode: 'sample' })
  expect(await query('SELECT FROM bank.backfill WHERE done_at IS NULL')).toHaveLength(1)
})

test('a backfill continues where it was interrupted, and does no batch twice', async () => {
  await asOwner(`INSERT INTO bank.backfill (name, kept_from) VALUES ('test.count', 1)`)
  const startKeys: (string | null)[] = []
  let isCutOff = true
  const count = defineBackfill({
    name: 'test.count',
    batch: async (_, after) => {
      if (startKeys.length === 3 && isCutOff) throw new Error('cut off')
      startKeys.push(after)
      const next = Number(after ?? 0) + 1
      return next > 5 ? null : { upTo: String(next), rows: 10 }
    },
  })
  await expect(count.work(server.deps)).rejects.toThrow('cut off')
  expect(await query(`SELECT after_key, done_rows FROM bank.backfill WHERE name = 'test.count'`)).toEqual([
    { after_key: '3', done_rows: 30 },
  ])
  isCutOff = false
  await Promise.all([count.work(server.deps), count.work(server.deps)])
  await count.work(server.deps)
  expect(startKeys).toEqual([null, '1', '2', '3', '4', '5'])
  expect(await query(`SELECT FROM bank.backfill WHERE name = 'test.count' AND done_at IS NOT NULL`)).toHaveLength(1)
})
