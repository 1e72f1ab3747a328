import { afterEach, expect, test } from 'vitest'
import type { Goal } from '#contract/savings.ts'
import { caughtUp } from '#server/platform/jobs/date-walk.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { openSampleCustomer } from '#server/sample/story.ts'
import { keepDaysOf } from '#server/platform/time-zone.ts'
import { databaseWithDaysOf } from '#server/test/database.ts'
import { books } from '#server/test/people.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { ALL } from '../../scripts/strength.ts'

/** A bank whose customer has of everything that comes due: the same at each call. */
async function bankWithEverything(zone: string): Promise<{ server: TestServer; jobs: Jobs; browser: Browser }> {
  const database = await databaseWithDaysOf(zone)
  const server = await testServer({ clock: 'database', openCustomer: openSampleCustomer, beside: { database } })
  const jobs = await startJobs(server.deps)
  const browser = await server.visitor()
  const post = async (path: string, body: object = {}) => {
    const response = await browser.post(`/api/v1${path}`, body)
    expect(response.status, path).toBeLessThan(300)
    return response
  }
  const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })
  const recipient = 'sarah.johnson@example.com'
  await post('/schedules', { recipient, ...usd(20_00), every: 'week', startsOn: '2026-08-31', end: { kind: 'never' } })
  await post('/crypto/recurring', {
    asset: 'BTC',
    amountMinor: 30_00,
    amountAsset: 'USD',
    every: 'week',
    startsOn: '2026-09-02',
  })
  const { goals } = (await (await browser.get('/api/v1/goals')).json()) as { goals: Goal[] }
  for (const [index, { id }] of goals.entries()) {
    const monthly = { ...usd(50_00), dayOfMonth: 1 + index * 10 }
    expect((await browser.send('PUT', `/api/v1/goals/${id}/monthly`, JSON.stringify(monthly))).status).toBeLessThan(300)
  }
  await post('/transfers', { recipient: 'nobody.knows@example.com', ...usd(12_00) })
  await post('/top-ups', { ...usd(250_00), method: 'bank' })
  await post('/rewards/premium', { priceMinor: 9_99, asset: 'USD' })
  await post('/sample/charges', { category: 'shopping', amountMinor: 40_00 })
  return { server, jobs, browser }
}

/** Every row that the books have of the days after the first, by what it says; what is of one day in any order. */
async function rowsOf({ deps }: TestServer): Promise<string[]> {
  const { rows } = await deps.pool.query<Record<string, unknown>>(`
    SELECT ledger.day_of(t.booked_at) AS day, o.kind, d.code AS debit, c.code AS credit, t.asset,
           t.amount_minor, t.held_minor
      FROM ledger.transfer t
      JOIN ledger.operation o ON o.id = t.operation_id
      JOIN ledger.account d ON d.id = t.debit_account
      JOIN ledger.account c ON c.id = t.credit_account
     WHERE ledger.day_of(t.booked_at) >= '2026-08-29'`)
  return rows.map((row) => Object.values(row).join(' ')).toSorted()
}

const opened: { server: TestServer; jobs: Jobs }[] = []
afterEach(async () => {
  for (const { server, jobs } of opened.splice(0)) {
    await jobs.stop()
    await server.close()
    await server.database.drop()
  }
  keepDaysOf('UTC')
})

const oneByOne = (days: number) => Array<number>(days).fill(1)

type Case = [length: string, zone: string, moves: number[][]]

test.each<Case>([
  ['a month', 'UTC', [[30], oneByOne(30), ...(ALL ? [[3, 9, 1, 17]] : [])]],
  // Over the end of summer time.
  ...(ALL
    ? [
        [
          'seventy days in New York',
          'America/New_York',
          [
            [31, 31, 8],
            [31, ...oneByOne(39)],
          ],
        ] satisfies Case,
      ]
    : []),
])('%s at once gives the books that days one by one give, row by row', { timeout: 600_000 }, async (_, zone, all) => {
  const after: string[][] = []
  for (const moves of all) {
    const bank = await bankWithEverything(zone)
    opened.push(bank)
    for (const days of moves) {
      expect((await bank.browser.post('/api/v1/sample/clock', { days })).status).toBe(200)
      expect(await caughtUp(bank.server.deps, 120_000)).toBe(true)
    }
    await books(bank.server)
    after.push(await rowsOf(bank.server))
  }
  const [atOnce = [], ...others] = after
  expect(atOnce.length).toBeGreaterThan(20)
  for (const rows of others) expect(rows).toEqual(atOnce)
})
