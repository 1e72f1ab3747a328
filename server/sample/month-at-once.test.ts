import { afterEach, expect, test } from 'vitest'
import type { Goal } from '#contract/savings.ts'
import { hasCaughtUp } from '#server/platform/jobs/date-walk.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { setBankZone } from '#server/platform/time-zone.ts'
import { databaseWithDaysOf } from '#server/test/database.ts'
import { auditTestBooks } from '#server/test/people.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { ALL } from '../../scripts/test-effort.ts'

/** Opens a bank with one customer who has every kind of scheduled item. Every call creates the same items. */
async function openBankWithSchedules(zone: string): Promise<{ server: TestServer; jobs: Jobs; browser: Browser }> {
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

/** Returns the ledger's transfers after the first day in sorted order, each as one text. */
async function transferTexts({ deps }: TestServer): Promise<string[]> {
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

const openBanks: { server: TestServer; jobs: Jobs }[] = []
afterEach(async () => {
  for (const { server, jobs } of openBanks.splice(0)) {
    await jobs.stop()
    await server.close()
    await server.database.drop()
  }
  setBankZone('UTC')
})

/** Returns a schedule of this number of days in steps of one day. */
const singleDays = (days: number) => Array<number>(days).fill(1)

/** Each element of `schedules` moves the clock of one bank. It contains the days of each step. */
type Case = [period: string, zone: string, schedules: number[][]]

test.each<Case>([
  ['a month', 'UTC', [[30], singleDays(30), ...(ALL ? [[3, 9, 1, 17]] : [])]],
  // This case spans the end of daylight saving time.
  ...(ALL
    ? [
        [
          'seventy days in New York',
          'America/New_York',
          [
            [31, 31, 8],
            [31, ...singleDays(39)],
          ],
        ] satisfies Case,
      ]
    : []),
])(
  'after %s, long steps of the clock give the same transfers as single days',
  { timeout: 600_000 },
  async (_, zone, schedules) => {
    const transfersOfBanks: string[][] = []
    for (const schedule of schedules) {
      const bank = await openBankWithSchedules(zone)
      openBanks.push(bank)
      for (const days of schedule) {
        expect((await bank.browser.post('/api/v1/sample/clock', { days })).status).toBe(200)
        expect(await hasCaughtUp(bank.server.deps, 120_000)).toBe(true)
      }
      await auditTestBooks(bank.server)
      transfersOfBanks.push(await transferTexts(bank.server))
    }
    const [firstTransfers = [], ...otherTransfers] = transfersOfBanks
    expect(firstTransfers.length).toBeGreaterThan(20)
    for (const transfers of otherTransfers) expect(transfers).toEqual(firstTransfers)
  },
)
