import { randomUUID } from 'node:crypto'
import { percentOf } from '#contract/money.ts'
import { readTransaction, summarizeSpending } from '#server/accounts/service.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFootprint } from '#server/carbon/offsets.ts'
import { cardsOf } from '#server/cards/card.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { readSavingAdvice } from '#server/insights/saving-advice.ts'
import { diningOut } from '#server/insights/months/dining.ts'
import { lastMonths } from '#server/insights/months/months.ts'
import { readAnalytics } from '#server/insights/overview.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { flowOf } from '#server/ledger/flows.ts'
import { listLines } from '#server/ledger/statement.ts'
import { unreadCount } from '#server/notifications/service.ts'
import { recentContacts } from '#server/payments/contacts.ts'
import { readDetails } from '#server/profile/details.ts'
import { readProfile } from '#server/profile/service.ts'
import { goalsOf } from '#server/savings/service.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { testDeps, type TestDeps, testClock } from '#server/test/bank.ts'
import { recordedStatements } from '#server/test/recorded-statements.ts'

let testBank: TestDeps
let customer: Customer

beforeAll(async () => {
  testBank = await testDeps()
  customer = await openSampleCustomer(testBank.deps)
})
afterAll(() => testBank.close())

test('the dashboard: 12,458.50, and +2,340 this month', async () => {
  const { deps } = testBank
  const run = runOn(deps.pool)
  const current = (await accountsOf(run, customer.id)).find((account) => account.code === 'current')
  expect(current).toMatchObject({ balanceMinor: 12_458_50, availableMinor: 12_458_50 })
  const month = { from: new Date('2026-08-01'), to: new Date('2026-08-29') }
  const flow = await flowOf(run, [customer.currentAccountId], month)
  expect(flow).toEqual({ incomeMinor: 3_840_00, expensesMinor: 1_500_00, spentMinor: 1_500_00 })
})

test('the customer has a date of birth and an address that the form accepts', async () => {
  const { dateOfBirth, address, postcode } = await readProfile(testBank.deps, customer.id)
  const identity = { dateOfBirth: dateOfBirth ?? '', address: address ?? '', postcode: postcode ?? '' }
  const today = Temporal.PlainDate.from('2026-08-28')
  expect(readDetails(identity, { phone: null, today })).toEqual({ dateOfBirth, address, postcode })
  expect([dateOfBirth, address, postcode]).not.toContain(null)
})

test('the notice of the last card payment names that payment', async () => {
  const { rows } = await testBank.deps.pool.query(
    `SELECT params FROM bank.notification WHERE customer_id = $1 AND kind = 'card_payment'`,
    [customer.id],
  )
  expect(rows).toHaveLength(1)
  const { transactionId, name, amountMinor } = rows[0].params
  expect(await readTransaction(testBank.deps, customer, transactionId)).toMatchObject({
    name: { code: 'name', params: { name } },
    amountMinor: -amountMinor,
  })
})

test('the last seven days: 3,500.00 in, 207.98 out', async () => {
  const flow = await summarizeSpending(testBank.deps, customer)
  expect(flow).toMatchObject({ incomeMinor: 3_500_00, expensesMinor: 207_98 })
})

test('the list: five purchases and a salary of the last week on top, and back to January', async () => {
  const query = { accountId: customer.currentAccountId, filters: {}, limit: 100 }
  const run = runOn(testBank.deps.pool)
  const firstPage = await listLines(run, query)
  expect(firstPage.lines.slice(0, 6).map((line) => [line.amountMinor, line.category])).toEqual([
    [-5_60, 'food'],
    [-23_50, 'transport'],
    [-72_90, 'food'],
    [-89_99, 'shopping'],
    [-15_99, 'entertainment'],
    [3_500_00, 'income'],
  ])
  const lines = [...firstPage.lines]
  let cursor = firstPage.nextCursor
  while (cursor) {
    const page = await listLines(run, { ...query, cursor })
    lines.push(...page.lines)
    cursor = page.nextCursor
  }
  expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length)
  expect(lines.at(-1)?.bookedAt.toISOString()).toMatch(/^2026-01-01/)
  expect(lines.map((line) => line.bookedAt.getTime())).toEqual(
    lines.map((line) => line.bookedAt.getTime()).toSorted((a, b) => b - a),
  )
  expect(lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(12_458_50)
})

test('analytics: this month by category, eight months, and 8.5% less than last month', async () => {
  const { categories, changeBps } = await readAnalytics(testBank.deps, customer.id)
  expect(categories.map((row) => [row.category, row.spentMinor, row.percent])).toEqual([
    ['food', 520_00, 35],
    ['shopping', 380_00, 25],
    ['transport', 210_00, 14],
    ['entertainment', 180_00, 12],
    ['bills', 210_00, 14],
  ])
  const months = await lastMonths(testBank.deps, customer.id, 8)
  expect(months.map((row) => row.month)).toEqual(
    ['01', '02', '03', '04', '05', '06', '07', '08'].map((month) => `2026-${month}`),
  )
  expect(months.map((row) => row.spentMinor)).toEqual([
    1_420_10, 1_385_75, 1_512_40, 1_468_05, 1_556_90, 1_601_25, 1_639_34, 1_500_00,
  ])
  expect(changeBps).toBe(-850)
})

test('the advisor: dining is 15% up, 200 a month to set aside', async () => {
  expect(await readSavingAdvice(testBank.deps, customer)).toMatchObject({ setAsideMinor: 200_00 })
  const { nowMinor, beforeMinor } = await diningOut(testBank.deps, customer.id)
  expect([nowMinor, beforeMinor, percentOf(nowMinor - beforeMinor, beforeMinor)]).toEqual([255_30, 222_00, 15])
})

test('savings, cards, points, carbon, contacts, news', async () => {
  const goals = await goalsOf(testBank.deps, customer.id)
  expect(goals.map((goal) => [goal.name, goal.savedMinor, goal.targetMinor])).toEqual([
    ['Vacation Fund', 2_450_00, 5_000_00],
    ['Emergency Fund', 8_500_00, 10_000_00],
    ['New Car', 3_200_00, 15_000_00],
  ])
  const accounts = await accountsOf(runOn(testBank.deps.pool), customer.id)
  const balances = new Map(accounts.map((account) => [account.id, account.balanceMinor]))
  const cards = await cardsOf(testBank.deps, customer.id)
  expect(cards.map((card) => [card.kind, balances.get(card.accountId), card.expiresOn.slice(0, 7)])).toEqual([
    ['main', 12_458_50, '2028-12'],
    ['multi_use', 500_00, '2028-12'],
  ])
  expect(accounts.find((account) => account.code === 'points')?.balanceMinor).toBe(2_450)
  const footprint = await readFootprint(testBank.deps, customer.id)
  expect(footprint.categories.map((row) => [row.category, row.grams])).toEqual([
    ['transport', 45_000],
    ['shopping', 32_000],
    ['food', 28_000],
    ['energy', 18_000],
  ])
  expect(footprint).toMatchObject({ grams: 123_000, offset: { grams: 123_000, amountMinor: 18_45 } })
  expect((await recentContacts(testBank.deps, customer.id)).map((contact) => contact.name)).toHaveLength(4)
  expect(await unreadCount(testBank.deps, customer.id)).toBe(4)
})

test('many simultaneous visitors each get their own sample history, and the books balance', async () => {
  const customers = await Promise.all(Array.from({ length: 20 }, () => openSampleCustomer(testBank.deps)))
  expect(new Set(customers.map((visitor) => visitor.email)).size).toBe(20)
  expect((await auditBooks(runOn(testBank.deps.pool))).problems).toEqual([])
})

test('a sample history takes few statements, on a machine of any speed', async () => {
  const statements = await recordedStatements(() => openSampleCustomer(testBank.deps))
  expect(statements.length).toBeLessThan(60)
})

test('a customer who is created a month later has the same months of history up to that day', async () => {
  const lateBank = await testDeps({ clock: testClock(new Date('2026-09-30T15:00:00Z')) })
  const visitor = await openSampleCustomer(lateBank.deps)
  const run = runOn(lateBank.deps.pool)
  expect(await summarizeSpending(lateBank.deps, visitor)).toMatchObject({
    incomeMinor: 3_500_00,
    expensesMinor: 207_98,
  })
  const { lines } = await listLines(run, { accountId: visitor.currentAccountId, filters: {}, limit: 1 })
  expect(lines[0]?.bookedAt.toISOString()).toBe('2026-09-30T08:12:00.000Z')
  expect(lines[0]?.balanceAfterMinor).toBe(12_458_50)
  await lateBank.close()
})

test('no customer is created without the sample history, and an interrupted creation is repeated for the same request', async () => {
  const { deps } = testBank
  const countCustomers = async () => (await deps.pool.query('SELECT count(*)::int AS n FROM bank.customer')).rows[0].n
  const countBefore = await countCustomers()
  const key = { operationId: randomUUID(), fingerprint: 'visit' }
  const failToPost = async () => {
    throw new Error('the server ended')
  }
  const brokenDeps = { ...deps, ledger: { ...deps.ledger, postAll: failToPost, postWithin: failToPost } }
  await expect(openSampleCustomer(brokenDeps, { key })).rejects.toThrow('the server ended')
  expect(await countCustomers()).toBe(countBefore)
  const visitor = await openSampleCustomer(deps, { key })
  const [current] = await accountsOf(runOn(deps.pool), visitor.id)
  expect(current).toMatchObject({ balanceMinor: 12_458_50 })
  expect(await recentContacts(deps, visitor.id)).toHaveLength(4)
  expect((await openSampleCustomer(deps, { key })).id).toBe(visitor.id)
  expect(await countCustomers()).toBe(countBefore + 1)
})
