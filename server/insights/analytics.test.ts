import { DAY_MS } from '#server/platform/durations.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Analytics, CashFlowForecast, CategoryPayment, RecurringPayments } from '#contract/analytics.ts'
import type { Category } from '#contract/categories.ts'
import type { Notice } from '#contract/notifications.ts'
import { type PayeeDayPayments } from '#server/insights/history/history.ts'
import { expectedUntil, forecastMonth, replayErrors } from '#server/insights/forecast.ts'
import { monthSpending } from '#server/insights/months/months.ts'
import { insightOf } from '#server/insights/overview.ts'
import { insightNoticesJob } from '#server/insights/notices.ts'
import { setBudget } from '#server/insights/budgets.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { testClock } from '#server/test/bank.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(() => clock.set(START))

async function somebody(cents = 100_000_00): Promise<TestPerson> {
  people += 1
  const person = await server.person({ fullName: `Person ${people}`, email: `analytics.${people}@example.com` })
  clock.set(new Date('2025-09-01T08:00:00Z'))
  await person.fund(cents)
  clock.set(START)
  return person
}

type TestPayment = { name?: string; category?: Category; amountMinor: number; on?: string }

/** Books a card payment, or a refund if the amount is negative. Returns the transaction's id. */
function spend(person: TestPerson, spent: TestPayment): Promise<string> {
  const { name = 'A Shop', category = 'shopping', amountMinor, on = '2026-08-20' } = spent
  return bookCardPayment(server, person, {
    amountMinor,
    bookedAt: new Date(`${on}T12:00:00Z`),
    detail: { debitName: name, creditName: name, category },
  })
}

const get = async <Answer>({ browser }: Pick<TestPerson, 'browser'>, path: string): Promise<Answer> =>
  (await browser.get(`/api/v1/analytics${path}`)).json() as Promise<Answer>
const readAnalytics = (person: Pick<TestPerson, 'browser'>, month = '') =>
  get<Analytics>(person, month && `?month=${month}`)
const put = ({ browser }: TestPerson, path: string, body: unknown) =>
  browser.send('PUT', `/api/v1/analytics${path}`, JSON.stringify(body))
const budget = (person: TestPerson, category: string, limitMinor: number | null) =>
  put(person, '/budgets', { category, limitMinor, asset: 'USD' })
const recall = (person: TestPerson, id: string, category: string, scope: string) =>
  put(person, `/payments/${id}/category`, { category, scope })
const payments = async (person: TestPerson, category: string, more = '') =>
  get<{ payments: CategoryPayment[]; nextCursor: string | null }>(
    person,
    `/payments?month=2026-08&category=${category}${more}`,
  )
const amounts = ({ categories }: Analytics) =>
  Object.fromEntries(categories.map(({ category, spentMinor }) => [category, spentMinor]))
const notices = async ({ browser }: TestPerson) =>
  ((await (await browser.get('/api/v1/notifications')).json()) as { notices: Notice[] }).notices.map(
    ({ kind, params }) => [kind, params['category'] ?? params['name']],
  )

describe('a month', () => {
  test('of the sample history matches the specification', async () => {
    const customer = await openSampleCustomer(server.deps)
    const browser = server.browser(await signInCookie(server.deps, customer.id))
    const august = await readAnalytics({ browser })
    expect(august).toMatchObject({ month: '2026-08', spentMinor: 1_500_00, changeBps: -850 })
    expect(august.categories.map(({ category, spentMinor, percent }) => [category, spentMinor, percent])).toEqual([
      ['food', 520_00, 35],
      ['shopping', 380_00, 25],
      ['transport', 210_00, 14],
      ['entertainment', 180_00, 12],
      ['bills', 210_00, 14],
    ])
    expect(august.trend.map(({ month }) => month)).toEqual(
      ['01', '02', '03', '04', '05', '06', '07', '08'].map((month) => `2026-${month}`),
    )
    expect(august.insight).toEqual({ code: 'category_up', category: 'food', percent: 15, amountMinor: 67_83 })
    const july = await readAnalytics({ browser }, '2026-07')
    expect(july).toMatchObject({ month: '2026-07', spentMinor: 1_639_34 })
    // The month has each day until today, and the days add up to its spending.
    for (const { days, spentMinor } of [august, july])
      expect(days.reduce((sum, day) => sum + day.spentMinor, 0)).toBe(spentMinor)
    expect([august.days.at(0)?.day, august.days.at(-1)?.day]).toEqual(['2026-08-01', '2026-08-28'])
    expect(august.days.at(-1)?.spentMinor).toBe(5_60)
    expect(july.days).toHaveLength(31)
    expect(august.comparedWith).toEqual({ from: '2026-07-01', to: '2026-07-28' })
    expect(july.comparedWith).toEqual({ from: '2026-06-01', to: '2026-06-30' })
    expect(july.months).toHaveLength(8)

    const recurring = await get<RecurringPayments>({ browser }, '/recurring')
    expect(recurring.payments.map(({ payee, interval, nextOn }) => [payee, interval, nextOn])).toEqual([
      ['Brightwater Energy', 'monthly', '2026-09-08'],
      ['Fernline Broadband', 'monthly', '2026-09-14'],
    ])
    const forecast = await get<CashFlowForecast>({ browser }, '/forecast')
    // The salary was paid, and no bill is due before the end of August.
    expect(forecast).toMatchObject({ onDate: '2026-08-31', incomeMinor: 0, expected: [] })
    expect(forecast.outgoingMinor).toBe(forecast.everydayMinor)
    // The forecast starts from the dashboard's balance, without the $500 of a virtual card.
    expect(forecast.expectedBalanceMinor).toBe(12_458_50 - forecast.everydayMinor)
    expect(forecast.replayedMonths).toBeGreaterThanOrEqual(2)
    expect(forecast.errorMinor).toBeGreaterThan(0)
  })

  test('subtracts refunds, excludes moves and payments to people, and begins with the first spending', async () => {
    const ann = await somebody()
    expect(await readAnalytics(ann)).toMatchObject({ spentMinor: 0, changeBps: null, months: ['2026-08'] })
    expect((await readAnalytics(ann)).insight).toEqual({ code: 'nothing_spent' })
    await spend(ann, { amountMinor: 100_00 })
    await spend(ann, { amountMinor: -30_00 })
    await spend(ann, { amountMinor: 50_00, category: 'transfer' })
    await spend(ann, { amountMinor: 20_00, on: '2026-06-10' })
    const august = await readAnalytics(ann)
    expect(august).toMatchObject({ spentMinor: 70_00, changeBps: null, months: ['2026-06', '2026-07', '2026-08'] })
    expect(amounts(august)).toMatchObject({ shopping: 70_00, food: 0 })
    await expectRefusal(await ann.browser.get('/api/v1/analytics?month=2026-05'), 'month_invalid', 'month')
    await expectRefusal(await ann.browser.get('/api/v1/analytics?month=2026-09'), 'month_invalid', 'month')
    expect((await ann.browser.get('/api/v1/analytics?month=2026-13')).status).toBe(400)
  })

  test('is compared with the same days of the last month while it runs, and with the whole month afterwards', async () => {
    const ann = await somebody()
    await spend(ann, { amountMinor: 200_00, on: '2026-06-30' })
    await spend(ann, { amountMinor: 50_00, category: 'food', on: '2026-07-01' })
    await spend(ann, { amountMinor: 40_00, category: 'food', on: '2026-08-02' })
    await spend(ann, { amountMinor: 300_00, category: 'food', on: '2026-08-03' })
    clock.set(new Date('2026-09-02T10:00:00Z'))
    await spend(ann, { amountMinor: 60_00, category: 'food', on: '2026-09-01' })
    expect(await readAnalytics(ann)).toMatchObject({
      changeBps: 50_00,
      comparedWith: { from: '2026-08-01', to: '2026-08-02' },
      insight: { code: 'category_up', category: 'food', percent: 50, amountMinor: 20_00 },
    })
    expect(await readAnalytics(ann, '2026-09')).toEqual(await readAnalytics(ann))
    expect(await readAnalytics(ann, '2026-07')).toMatchObject({
      changeBps: -75_00,
      comparedWith: { from: '2026-06-01', to: '2026-06-30' },
    })
    // The previous month may be too short to have the day's number.
    clock.set(new Date('2026-07-31T10:00:00Z'))
    expect((await readAnalytics(ann)).comparedWith).toEqual({ from: '2026-06-01', to: '2026-06-30' })
    expect((await readAnalytics(ann)).changeBps).toBe(-75_00)
    // The previous month may be longer: on a month's last day, the comparison covers only the same days.
    clock.set(new Date('2026-09-29T10:00:00Z'))
    expect((await readAnalytics(ann)).comparedWith).toEqual({ from: '2026-08-01', to: '2026-08-29' })
    clock.set(new Date('2026-09-30T10:00:00Z'))
    expect((await readAnalytics(ann)).comparedWith).toEqual({ from: '2026-08-01', to: '2026-08-31' })
    clock.set(new Date('2027-02-28T10:00:00Z'))
    expect((await readAnalytics(ann)).comparedWith).toEqual({ from: '2027-01-01', to: '2027-01-31' })
  })

  test('lists Other if it has spending or a budget', async () => {
    const ann = await somebody()
    await spend(ann, { amountMinor: 10_00, category: 'food' })
    const otherCategories = async () =>
      (await readAnalytics(ann)).categories.filter(({ category }) => category === 'other')
    expect(await otherCategories()).toEqual([])
    await put(ann, '/budgets', { category: 'other', limitMinor: 50_00, asset: 'USD' })
    expect(await otherCategories()).toMatchObject([{ spentMinor: 0, budgetMinor: 50_00 }])
    await spend(ann, { amountMinor: 5_00, category: 'other' })
    expect(await otherCategories()).toMatchObject([{ spentMinor: 5_00, percent: 33, budgetMinor: 50_00 }])
  })

  test('has shares in whole percent that add up to 100', async () => {
    const ann = await somebody()
    for (const category of ['food', 'shopping', 'bills'] as const) await spend(ann, { amountMinor: 10_00, category })
    const { categories } = await readAnalytics(ann)
    expect(categories.map(({ percent }) => percent)).toEqual([34, 33, 0, 0, 33])
  })

  test('lists its payments, page by page, each once', async () => {
    const ann = await somebody()
    for (let turn = 1; turn <= 7; turn += 1) {
      await spend(ann, { amountMinor: turn * 100, category: 'food', on: `2026-08-0${turn}` })
      await spend(ann, { amountMinor: turn, category: 'bills', on: `2026-08-0${turn}` })
    }
    const amountsMinor: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '&limit=3' : `&limit=3&cursor=${cursor}`
      const page = await payments(ann, 'food', more)
      amountsMinor.push(...page.payments.map(({ amountMinor }) => amountMinor))
      cursor = page.nextCursor
    }
    expect(amountsMinor).toEqual([-700, -600, -500, -400, -300, -200, -100])
    const path = '/api/v1/analytics/payments?month=2026-08&category=food&cursor=nonsense'
    await expectRefusal(await ann.browser.get(path), 'cursor_invalid')
    expect((await ann.browser.get('/api/v1/analytics/payments?month=2026-08&category=income')).status).toBe(400)
  })
})

describe('the payments of a month', () => {
  const readAllAmounts = async (person: TestPerson, limit: number) => {
    const amountsMinor: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = `&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page = await payments(person, 'food', more)
      amountsMinor.push(...page.payments.map(({ amountMinor }) => -amountMinor))
      cursor = page.nextCursor
    }
    return amountsMinor
  }

  test('are each listed once, even if one was booked after a later one', async () => {
    const ann = await somebody()
    for (const day of ['03', '01', '05', '02', '04', '06', '01']) {
      await spend(ann, { amountMinor: Number(day) * 100 + people, category: 'food', on: `2026-08-${day}` })
    }
    for (const limit of [1, 2, 3, 4, 7]) expect(await readAllAmounts(ann, limit)).toHaveLength(7)
    const expectedAmounts = [1, 1, 2, 3, 4, 5, 6].map((day) => day * 100 + people)
    for (const limit of [1, 2, 3])
      expect((await readAllAmounts(ann, limit)).toSorted((a, b) => a - b)).toEqual(expectedAmounts)
    // This payment of July is booked between payments of August. It does not count in August.
    await spend(ann, { amountMinor: 9_00, category: 'food', on: '2026-07-31' })
    await spend(ann, { amountMinor: 7_00 + people, category: 'food', on: '2026-08-07' })
    for (const limit of [1, 2, 8]) expect(await readAllAmounts(ann, limit)).toHaveLength(8)
  })

  test('are an empty list for a distant month, and refused for an invalid month', async () => {
    const ann = await somebody()
    const readFoodPayments = (month: string) =>
      ann.browser.get(`/api/v1/analytics/payments?month=${month}&category=food`)
    for (const month of ['1000-01', '1969-12', '2026-09', '8999-12']) {
      expect(await (await readFoodPayments(month)).json()).toEqual({ payments: [], nextCursor: null })
    }
    for (const month of ['0000-01', '9999-12', '2026-13']) {
      await expectRefusal(await readFoodPayments(month), 'request_invalid', 'month')
    }
  })

  test('are listed page by page for a customer with many cards', async () => {
    const ann = await somebody()
    const account = { holderId: ann.customer.id, code: 'card', asset: 'USD' } as const
    const cards = await openAccounts(
      runOn(server.deps.pool),
      Array.from({ length: 40 }, () => account),
    )
    for (const [index, currentAccountId] of cards.entries()) {
      const card = { ...ann, customer: { ...ann.customer, currentAccountId } }
      await spend(card, { amountMinor: -10_00 })
      await spend(card, { amountMinor: index + 1, category: 'food' })
    }
    expect((await readAllAmounts(ann, 7)).toSorted((a, b) => a - b)).toEqual(cards.map((_, index) => index + 1))
  })
})

describe('another category', () => {
  test('applies to one payment or to all of a payee, past and future, and does not change the ledger', async () => {
    const ann = await somebody()
    const first = await spend(ann, { name: 'Corner Store', amountMinor: 10_00, on: '2026-07-05' })
    const second = await spend(ann, { name: 'Corner Store', amountMinor: 20_00 })
    await spend(ann, { name: 'Other', amountMinor: 5_00 })
    const before = await auditTestBooks(server)
    expect((await recall(ann, second, 'bills', 'once')).status).toBe(204)
    expect(amounts(await readAnalytics(ann))).toMatchObject({ shopping: 5_00, bills: 20_00 })
    expect(amounts(await readAnalytics(ann, '2026-07'))).toMatchObject({ shopping: 10_00, bills: 0 })
    expect((await payments(ann, 'bills')).payments.map(({ id }) => id)).toEqual([second])
    expect((await payments(ann, 'shopping')).payments.map(({ name }) => name)).toEqual(['Other'])

    expect((await recall(ann, first, 'food', 'payee')).status).toBe(204)
    await spend(ann, { name: 'CORNER STORE ', amountMinor: 1_00, on: '2026-08-27' })
    expect(amounts(await readAnalytics(ann))).toMatchObject({ shopping: 5_00, bills: 0, food: 21_00 })
    expect(amounts(await readAnalytics(ann, '2026-07'))).toMatchObject({ shopping: 0, food: 10_00 })
    expect((await payments(ann, 'food')).payments.map(({ amountMinor }) => amountMinor)).toEqual([-1_00, -20_00])

    // Moves one of the payments to another category, and back.
    await recall(ann, second, 'transport', 'once')
    expect(amounts(await readAnalytics(ann))).toMatchObject({ food: 1_00, transport: 20_00 })
    await recall(ann, second, 'food', 'once')
    expect(amounts(await readAnalytics(ann))).toMatchObject({ food: 21_00, transport: 0 })
    expect(await monthSpending(server.deps, ann.customer.id, '2026-08')).toMatchObject({ spentMinor: 26_00 })
    const after = await auditTestBooks(server)
    expect(after).toEqual({ ...after, ...before, ...after })
    expect((await ann.transactions()).find(({ id }) => id === second)?.category).toBe('shopping')
  })

  test('is refused for a transaction that is not spending, and for another customer’s payment', async () => {
    const [ann, ben] = [await somebody(), await somebody()]
    const id = await spend(ann, { amountMinor: 10_00, category: 'transfer' })
    await expectRefusal(await recall(ann, id, 'bills', 'once'), 'category_fixed')
    const bens = await spend(ben, { amountMinor: 10_00 })
    await expectRefusal(await recall(ann, bens, 'bills', 'payee'), 'not_found')
    await expectRefusal(await recall(ann, 'nonsense', 'bills', 'once'), 'not_found')
    expect((await recall(ann, id, 'income', 'once')).status).toBe(400)
    expect(amounts(await readAnalytics(ben))).toMatchObject({ shopping: 10_00 })
  })

  test('given to payments while they are made counts each once', async () => {
    const ann = await somebody()
    const id = await spend(ann, { name: 'Busy', amountMinor: 1_00 })
    await recall(ann, id, 'food', 'payee')
    await Promise.all([
      ...Array.from({ length: 12 }, () => spend(ann, { name: 'Busy', amountMinor: 1_00 })),
      ...Array.from({ length: 12 }, () => readAnalytics(ann)),
    ])
    expect(amounts(await readAnalytics(ann))).toMatchObject({ food: 13_00, shopping: 0 })
  })
})

describe('budgets', () => {
  test('send notices at 80% and at 100%, once each per month, for any number of runs', async () => {
    const ann = await somebody()
    expect((await budget(ann, 'food', 100_00)).status).toBe(204)
    await spend(ann, { amountMinor: 79_99, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([])
    await spend(ann, { amountMinor: 1, category: 'food' })
    await Promise.all([
      runIfDue(insightNoticesJob, server.deps),
      runIfDue(insightNoticesJob, server.deps),
      readAnalytics(ann),
    ])
    expect(await notices(ann)).toEqual([['budget_near', 'food']])
    // The next run makes up for a lost run, even if the customer has read their figures in between.
    await spend(ann, { amountMinor: 20_00, category: 'food' })
    await readAnalytics(ann)
    await get(ann, '/recurring')
    await runIfDue(insightNoticesJob, server.deps)
    await spend(ann, { amountMinor: 20_00, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([
      ['budget_spent', 'food'],
      ['budget_near', 'food'],
    ])
    expect((await readAnalytics(ann)).insight).toEqual({ code: 'over_budget', category: 'food', amountMinor: 20_00 })
    // A new month starts anew. If both thresholds are reached at once, the customer gets one notice.
    clock.set(new Date('2026-09-03T10:00:00Z'))
    await spend(ann, { amountMinor: 150_00, category: 'food', on: '2026-09-02' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toHaveLength(3)
  })

  test('apply to each month with the budget it had', async () => {
    const ann = await somebody()
    for (const on of ['2026-07-10', '2026-08-10']) await spend(ann, { amountMinor: 130_00, category: 'food', on })
    const ofFood = async (month: string) =>
      (await readAnalytics(ann, month)).categories.find(({ category }) => category === 'food')?.budgetMinor
    await budget(ann, 'food', 90_00)
    await budget(ann, 'food', 100_00)
    clock.set(new Date('2026-09-03T10:00:00Z'))
    expect(await ofFood('2026-09')).toBe(100_00)
    await budget(ann, 'food', 200_00)
    expect([await ofFood('2026-07'), await ofFood('2026-08'), await ofFood('2026-09')]).toEqual([null, 100_00, 200_00])
    clock.set(new Date('2026-10-03T10:00:00Z'))
    await budget(ann, 'food', null)
    expect([await ofFood('2026-09'), await ofFood('2026-10')]).toEqual([200_00, null])
  })

  test('count by the customer’s own categories, and can be removed', async () => {
    const ann = await somebody()
    await budget(ann, 'bills', 10_00)
    const id = await spend(ann, { amountMinor: 10_00 })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([])
    await recall(ann, id, 'bills', 'once')
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([['budget_spent', 'bills']])
    expect((await readAnalytics(ann)).categories.find(({ category }) => category === 'bills')?.budgetMinor).toBe(10_00)
    await budget(ann, 'bills', null)
    expect((await readAnalytics(ann)).categories.every(({ budgetMinor }) => budgetMinor === null)).toBe(true)
    for (const limit of [0, -1, 1.5]) expect((await budget(ann, 'bills', limit)).status).toBe(400)
    expect((await budget(ann, 'income', 1)).status).toBe(400)
  })
})

describe('a run of the budget check', () => {
  /** Starts the job and returns when it has finished or waits for a lock. */
  async function startWatch(): Promise<Promise<unknown>[]> {
    let isDone = false
    const run = Promise.resolve(runIfDue(insightNoticesJob, server.deps)).finally(() => (isDone = true))
    const waitingQuery = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    const waits = async () => (await server.deps.pool.query(waitingQuery)).rows.length > 0
    await vi.waitFor(async () => expect(isDone || (await waits())).toBe(true), { timeout: 10_000, interval: 20 })
    // The array keeps `await` from waiting for the run.
    return [run]
  }

  test('sends no notice of a budget that is changed before the notice', async () => {
    const ann = await somebody()
    await budget(ann, 'food', 50_00)
    await spend(ann, { amountMinor: 50_00, category: 'food' })
    await get(ann, '/recurring')
    const runs = await inTransaction(server.deps.db, async (trx) => {
      await lockCustomer(trx, ann.customer.id)
      await trx
        .updateTable('bank.budget')
        .set({ limit_minor: 500_00 })
        .where('customer_id', '=', ann.customer.id)
        .execute()
      return startWatch()
    })
    await Promise.all(runs)
    expect(await notices(ann)).toEqual([])
  })

  test('stores no notice for a customer who closes during the run', async () => {
    const ann = await somebody()
    for (const month of ['04', '05', '06', '07', '08']) {
      const amountMinor = month === '08' ? 11_99 : 9_99
      await spend(ann, { name: 'Tunefold', category: 'entertainment', amountMinor, on: `2026-${month}-24` })
    }
    await get(ann, '/recurring')
    const runs = await inTransaction(server.deps.db, async (trx) => {
      await lockCustomer(trx, ann.customer.id)
      await trx.updateTable('bank.customer').set({ closed_at: START }).where('id', '=', ann.customer.id).execute()
      return startWatch()
    })
    await Promise.all(runs)
    const query = 'SELECT FROM bank.price_notice WHERE customer_id = $1'
    expect((await server.deps.pool.query(query, [ann.customer.id])).rows).toEqual([])
  })

  const readStored = async ({ customer }: TestPerson) =>
    (await server.deps.pool.query('SELECT 1 FROM bank.insight_account WHERE customer_id = $1', [customer.id])).rows
      .length

  test('leaves a budget that is set during the run to the next one', async () => {
    const ann = await somebody()
    await spend(ann, { amountMinor: 50_00, category: 'food' })
    for (let turn = 1; turn <= 6; turn += 1) {
      await Promise.all([runIfDue(insightNoticesJob, server.deps), budget(ann, 'food', turn * 100)])
      await runIfDue(insightNoticesJob, server.deps)
      expect(await notices(ann)).toHaveLength(turn)
    }
  })

  test('stores nothing for a closed customer', async () => {
    const ann = await somebody()
    await spend(ann, { amountMinor: 100_000_00, category: 'food' })
    await budget(ann, 'food', 1_00)
    await inTransaction(server.deps.db, async (trx) => {
      await trx.updateTable('bank.customer').set({ closed_at: START }).where('id', '=', ann.customer.id).execute()
      for (const slice of server.deps.slices) await slice.closeCustomer?.(trx, ann.customer.id)
    })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await readStored(ann)).toBe(0)
    // An advisor may still be writing a reply when the account closes. Its forecast must store nothing.
    await forecastMonth(server.deps, ann.customer)
    expect(await readStored(ann)).toBe(0)
    const request = { category: 'food', limitMinor: 1_00, asset: 'USD' } as const
    const late = setBudget(server.deps, ann.customer.id, request)
    await expect(late).rejects.toMatchObject({ code: 'sign_in_required' })
  })
})

describe('a changed budget', () => {
  test('causes new notices, and setting the same budget again does not', async () => {
    const ann = await somebody()
    await budget(ann, 'food', 100_00)
    await spend(ann, { amountMinor: 100_00, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([['budget_spent', 'food']])
    await budget(ann, 'food', 100_00)
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toHaveLength(1)
    await budget(ann, 'food', 1_000_00)
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toHaveLength(1)
    await spend(ann, { amountMinor: 850_00, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([
      ['budget_near', 'food'],
      ['budget_spent', 'food'],
    ])
    // A refund and the next payment cause no further notice.
    await spend(ann, { amountMinor: -500_00, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    await spend(ann, { amountMinor: 400_00, category: 'food' })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toHaveLength(2)
  })
})

describe('recurring payments', () => {
  test('to a payee with varying spellings have one higher price', async () => {
    const ann = await somebody()
    const weeks = ['07-10', '07-17', '07-24', '07-31', '08-07', '08-14', '08-21', '08-28']
    for (const [index, monthDay] of weeks.entries()) {
      const [amountMinor, paidAt] = [index < 6 ? 10_00 : 12_00, new Date(`2026-${monthDay}T15:00:00Z`)]
      clock.set(paidAt)
      const name = `${index % 2 === 0 ? 'Gym' : 'GYM'} ${index + 31}`
      await spend(ann, { name, category: 'entertainment', amountMinor, on: `2026-${monthDay}` })
      await runIfDue(insightNoticesJob, server.deps)
    }
    expect((await notices(ann)).map(([kind]) => kind)).toEqual(['price_raised'])
  })

  test('are found, and a higher price is announced once', async () => {
    const ann = await somebody()
    for (const month of ['04', '05', '06', '07']) {
      await spend(ann, { name: 'Tunefold', category: 'entertainment', amountMinor: 9_99, on: `2026-${month}-24` })
    }
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([])
    await spend(ann, { name: 'Tunefold', category: 'entertainment', amountMinor: 11_99, on: '2026-08-24' })
    await Promise.all([runIfDue(insightNoticesJob, server.deps), runIfDue(insightNoticesJob, server.deps)])
    await spend(ann, { amountMinor: 1 })
    await runIfDue(insightNoticesJob, server.deps)
    expect(await notices(ann)).toEqual([['price_raised', 'Tunefold']])
    const { payments: recurring } = await get<RecurringPayments>(ann, '/recurring')
    expect(recurring).toMatchObject([
      { payee: 'Tunefold', amountMinor: 11_99, previousAmountMinor: 9_99, interval: 'monthly', nextOn: '2026-09-24' },
    ])
  })
})

describe('the forecast', () => {
  const paymentOn = (day: string, name: string, minor: number, category: Category): PayeeDayPayments => {
    const [inMinor, outMinor] = minor > 0 ? [minor, 0] : [0, -minor]
    return { day, payee: name.toLowerCase(), name, category, inMinor, outMinor }
  }
  const months = ['01', '02', '03', '04', '05', '06', '07', '08'].map((month) => `2026-${month}`)
  const groceries = Array.from({ length: 239 }, (_, index) => {
    const day = dayOf(new Date(Date.UTC(2026, 0, 1) + index * DAY_MS))
    return paymentOn(day, `Market ${'abcdefg'[index % 7]}`, -(5_00 + ((index * 1_103) % 1_600)), 'food')
  })
  const steady = [
    ...months.map((month) => paymentOn(`${month}-25`, 'Employer', 3_000_00, 'income')),
    ...months.map((month) => paymentOn(`${month}-27`, 'Landlord', -900_00, 'transfer')),
    ...groceries,
  ].toSorted((a, b) => (a.day < b.day ? -1 : 1))

  test('expects the salary, known payments, recurring payments and everyday spending', () => {
    const today = '2026-08-20'
    const upcoming = [{ kind: 'scheduled' as const, name: 'landlord', amountMinor: 950_00, dueOn: '2026-08-28' }]
    const { expected, incomeMinor, outgoingMinor, everydayMinor } = expectedUntil(steady, today, '2026-08-31', upcoming)
    expect(incomeMinor).toBe(3_000_00)
    // A known payment replaces the expected recurring one.
    expect(expected.map(({ kind, amountMinor, dueOn }) => [kind, amountMinor, dueOn])).toEqual([
      ['income', 3_000_00, '2026-08-25'],
      ['scheduled', -950_00, '2026-08-28'],
    ])
    expect(everydayMinor).toBeGreaterThan(11 * 12_00)
    expect(everydayMinor).toBeLessThan(11 * 14_00)
    expect(outgoingMinor).toBe(950_00 + everydayMinor)
  })

  test('expects each weekly payment, even if one of them is already known', () => {
    const weekly = ['06-29', '07-06', '07-13', '07-20', '07-27'].map((day) =>
      paymentOn(`2026-${day}`, 'Gym', -20_00, 'entertainment'),
    )
    const upcoming = [{ kind: 'direct_debit' as const, name: 'Gym', amountMinor: 20_00, dueOn: '2026-08-03' }]
    const { expected } = expectedUntil(weekly, '2026-07-30', '2026-08-12', upcoming)
    expect(expected.map(({ kind, dueOn }) => [kind, dueOn])).toEqual([
      ['direct_debit', '2026-08-03'],
      ['recurring', '2026-08-10'],
    ])
  })

  test('counts no payment twice: known payments are not everyday spending', () => {
    const today = '2026-08-20'
    const loan = { kind: 'loan' as const, name: '', amountMinor: 400_00, dueOn: '2026-08-25' }
    const debit = { kind: 'direct_debit' as const, name: 'Insurer', amountMinor: 90_00, dueOn: '2026-08-26' }
    const before = expectedUntil(steady, today, '2026-08-31', [])
    const more = [
      ...steady,
      // A loan's interest has no payee, and the insurer was paid only once.
      paymentOn('2026-07-25', '', -250_00, 'bills'),
      paymentOn('2026-07-26', 'Insurer', -90_00, 'bills'),
    ].toSorted((a, b) => (a.day < b.day ? -1 : 1))
    const after = expectedUntil(more, today, '2026-08-31', [loan, debit])
    expect(after.everydayMinor).toBe(before.everydayMinor)
    expect(after.outgoingMinor).toBe(before.outgoingMinor + 490_00)
    expect(after.expected).toContainEqual({ kind: 'loan', name: '', amountMinor: -400_00, dueOn: '2026-08-25' })
  })

  test('replayed on past months is close, and off by the unusual spending', () => {
    const now = new Date('2026-08-20T10:00:00Z')
    const errors = replayErrors(steady, now)
    expect(errors).toHaveLength(4)
    for (const error of errors) expect(error).toBeLessThan(20_00)
    const holiday = [...steady, paymentOn('2026-05-29', 'Airline', -700_00, 'transport')].toSorted((a, b) =>
      a.day < b.day ? -1 : 1,
    )
    expect(Math.max(...replayErrors(holiday, now))).toBeGreaterThan(650_00)
    expect(replayErrors([], now)).toEqual([])
  })

  test('covers only the current account, because a virtual card has its own money', async () => {
    const ann = await somebody(100_00)
    const account = { holderId: ann.customer.id, code: 'card', asset: 'USD' } as const
    const [currentAccountId = 0] = await openAccounts(runOn(server.deps.pool), [account])
    const card = { ...ann, customer: { ...ann.customer, currentAccountId } }
    await spend(card, { amountMinor: -900_00, on: '2026-06-01' })
    for (let day = 1; day <= 27; day += 1) {
      await spend(card, { amountMinor: 10_00, category: 'food', on: `2026-08-${String(day).padStart(2, '0')}` })
    }
    expect(await get<CashFlowForecast>(ann, '/forecast')).toMatchObject({
      expectedBalanceMinor: 100_00,
      outgoingMinor: 0,
    })
  })

  test('of a new customer is their balance, with an unknown error', async () => {
    const ann = await somebody(100_00)
    expect(await get<CashFlowForecast>(ann, '/forecast')).toMatchObject({
      expectedBalanceMinor: 100_00,
      incomeMinor: 0,
      outgoingMinor: 0,
      errorMinor: null,
    })
  })
})

describe('the insight', () => {
  const month = (food: number, bills: number) => ({
    month: '2026-08',
    spentMinor: food + bills,
    categories: [
      { category: 'food' as const, spentMinor: food, percent: 0 },
      { category: 'bills' as const, spentMinor: bills, percent: 40 },
    ],
  })
  test.each([
    [month(0, 0), month(1, 1), {}, { code: 'nothing_spent' }],
    [month(90_00, 0), month(90_00, 0), { food: 100_00 }, { code: 'near_budget', category: 'food', percent: 90 }],
    // The refunds for food exceed all other spending.
    [month(-500_00, 60_00), month(0, 60_00), {}, { code: 'largest', category: 'bills', percent: 40 }],
    [month(-500_00, 60_00), month(0, 60_00), { bills: 50_00 }, { code: 'over_budget', amountMinor: 10_00 }],
    [month(-50_00, 60_00), month(90_00, 60_00), {}, { code: 'category_down', percent: 100, amountMinor: 90_00 }],
    // A budget that is used by 79.6% is not mentioned, although this rounds to 80%.
    [month(79_60, 0), month(79_60, 0), { food: 100_00 }, { code: 'largest', category: 'food' }],
    [month(50_00, 70_00), month(90_00, 50_00), {}, { code: 'category_up', category: 'bills', percent: 40 }],
    [month(50_00, 50_00), month(100_00, 50_00), {}, { code: 'category_down', category: 'food', percent: 50 }],
    [month(50_00, 60_00), month(50_00, 60_00), {}, { code: 'largest', category: 'bills', percent: 40 }],
  ])('of %j is compared with %j', (now, before, budgets, expected) => {
    expect(insightOf(now, before, new Map(Object.entries(budgets)) as never)).toMatchObject(expected)
  })
})
