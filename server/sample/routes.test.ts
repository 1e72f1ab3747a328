import { lineNamed } from '#contract/wording.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import type { CardList } from '#contract/cards.ts'
import type { Me } from '#contract/identity.ts'
import type { MoneyRequest, RequestList } from '#contract/requests.ts'
import type { SamplePanel } from '#contract/sample.ts'
import type { GoalList } from '#contract/savings.ts'
import { runOn } from '#server/platform/db/run.ts'
import { createCustomer, findCustomerByContact } from '#server/identity/customers/customers.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { caughtUp } from '#server/platform/jobs/date-walk.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { openSampleCustomer } from '#server/sample/story.ts'
import type { Browser } from '#server/test/browser.ts'
import { moveDate } from '#server/test/move-date.ts'
import { books, expectRefusal } from '#server/test/people.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const DAY_MS = 86_400_000
const BALANCE_MINOR = 12_458_50
const ROUTES = ['clock', 'charges', 'salary', 'requests', 'payments', 'restart'] as const

let server: TestServer
let jobs: Jobs
let ann: Browser

beforeAll(async () => {
  server = await testServer({ clock: 'database', openCustomer: openSampleCustomer })
  jobs = await startJobs(server.deps)
})
afterAll(async () => {
  await jobs.stop()
  await books(server)
  await server.close()
})

/** Makes Ann a new visitor with a story of their own. */
async function arrive(): Promise<void> {
  // An address may bring so many visitors a minute, and these tests bring more.
  await server.deps.pool.query('DELETE FROM bank.rate_limit')
  ann = await server.visitor()
}

async function read<Body>(browser: Browser, path: string): Promise<Body> {
  const answer = await browser.get(`/api/v1${path}`)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}

const panel = (browser = ann) => read<SamplePanel>(browser, '/sample')
const account = async (browser = ann) => (await read<Dashboard>(browser, '/dashboard')).account
const newest = async (browser = ann) =>
  (await read<{ transactions: Transaction[] }>(browser, '/transactions?limit=1')).transactions[0]

const post = (route: (typeof ROUTES)[number], body?: unknown, key?: string | null) =>
  ann.post(`/api/v1/sample/${route}`, body, key === undefined ? {} : { key })

async function booked(answer: Response): Promise<Transaction> {
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { transaction: Transaction }).transaction
}

/** The state once all has been written that follows from what was done before. */
async function stateAtRest() {
  for (let before = await state(); ;) {
    await wait(250)
    const now = await state()
    if (isDeepStrictEqual(now, before)) return now
    before = now
  }
}

/** What the bank has written, and what day it is: what nothing that is refused may change. */
async function state() {
  // Points of a card payment come a moment later.
  await server.deps.paymentPoints.flush()
  await server.clock.refresh()
  const { rows } = await server.deps.pool.query('SELECT business_epoch FROM bank.clock')
  return { books: await books(server), clock: rows, customer: (await panel()).customer }
}

// These come first, and all for one visitor, because each goes through the books of all customers there are by then.
describe('what is refused changes nothing:', () => {
  beforeAll(arrive)

  test.each([
    ['no days', { days: 0 }, 'days'],
    ['days gone by', { days: -1 }, 'days'],
    ['half a day', { days: 1.5 }, 'days'],
    ['more than 31 days', { days: 32 }, 'days'],
    ['days in quotes', { days: '1' }, 'days'],
    ['no number', { days: null }, 'days'],
    ['two months', { months: 2 }, 'months'],
    ['no months', { months: 0 }, 'months'],
    ['months in quotes', { months: '1' }, 'months'],
    ['nothing', {}, undefined],
    ['both', { days: 1, months: 1 }, undefined],
    ['an unknown key', { days: 1, weeks: 1 }, 'weeks'],
    ['a list', [1], undefined],
  ] as const)('the clock does not move for %s', async (_, body, field) => {
    const before = await state()
    await expectRefusal(await post('clock', body), 'request_invalid', field)
    expect(await state()).toEqual(before)
  })

  test('the clock does not move for what is no JSON', async () => {
    const before = await state()
    for (const text of ['', '{', '{"days":1e999}', 'days=1']) {
      const answer = await ann.send('POST', '/api/v1/sample/clock', text)
      expect(await answer.json()).toMatchObject({ error: { code: 'request_invalid' } })
      expect(answer.status).toBe(400)
    }
    expect(await state()).toEqual(before)
  })

  test.each([
    ['an unknown category', { category: 'bills' }, 'request_invalid', 'category'],
    ['no category by name', { category: null }, 'request_invalid', 'category'],
    ['nothing to pay', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
    ['a negative amount', { amountMinor: -1 }, 'amount_invalid', 'amountMinor'],
    ['half a cent', { amountMinor: 1.5 }, 'amount_invalid', 'amountMinor'],
    ['an amount in quotes', { amountMinor: '100' }, 'amount_invalid', 'amountMinor'],
    ['an unknown key', { merchant: 'Mine' }, 'request_invalid', 'merchant'],
  ] as const)('a shop does not charge for %s', async (_, body, code, field) => {
    const before = await state()
    await expectRefusal(await post('charges', body), code, field)
    expect(await state()).toEqual(before)
  })

  test('a salary is what it is', async () => {
    const before = await state()
    await expectRefusal(await post('salary', { amountMinor: 1 }), 'request_invalid', 'amountMinor')
    expect(await state()).toEqual(before)
  })

  test('starting over takes no wishes', async () => {
    const before = await state()
    await expectRefusal(await post('restart', { fullName: 'Me' }), 'request_invalid', 'fullName')
    expect(await state()).toEqual(before)
  })

  test('a friend pays their share of a bill, once for a key', async () => {
    await expectRefusal(await post('payments'), 'nobody_asked')
    const people = [
      { name: 'Sarah', address: 'sarah.johnson@example.com' },
      { name: 'Somebody', address: 'somebody@example.com' },
    ]
    const split = await ann.post('/api/v1/bills', { totalMinor: 90_00, asset: 'USD', division: 'equal', people })
    expect(split.status).toBe(200)
    const before = (await account()).availableMinor
    const key = randomUUID()
    const paid = await booked(await post('payments', undefined, key))
    expect(paid).toMatchObject({ amountMinor: 30_00, name: lineNamed('Sarah Johnson') })
    expect(await booked(await post('payments', undefined, key))).toEqual(paid)
    expect((await account()).availableMinor).toBe(before + 30_00)
    await expectRefusal(await post('payments'), 'nobody_asked')
  })

  test.each(['charges', 'salary', 'requests', 'payments'] as const)('%s needs a key', async (route) => {
    const before = await stateAtRest()
    await expectRefusal(await post(route, {}, null), 'idempotency_key_missing')
    await expectRefusal(await post(route, {}, 'mine'), 'idempotency_key_invalid')
    expect(await state()).toEqual(before)
  })

  test('nobody without a session gets anything', async () => {
    const before = await state()
    const stranger = server.browser()
    await expectRefusal(await stranger.get('/api/v1/sample'), 'sign_in_required')
    for (const route of ROUTES) {
      await expectRefusal(await stranger.post(`/api/v1/sample/${route}`, { days: 1 }), 'sign_in_required')
    }
    expect(await state()).toEqual(before)
  })

  test('no page of another site does any of it', async () => {
    const before = await state()
    for (const route of ROUTES) {
      const answer = await ann.post(`/api/v1/sample/${route}`, {}, { headers: { origin: 'https://example.com' } })
      await expectRefusal(answer, 'origin_refused')
    }
    expect(await state()).toEqual(before)
  })
})

test('says what day it is and who asks', async () => {
  await arrive()
  const { customer } = await read<Me>(ann, '/me')
  const told = await panel()
  expect(told.customer).toEqual({
    fullName: customer.fullName,
    email: customer.email,
    phone: expect.stringMatching(/^\+447700900\d{3}$/),
  })
  expect(Math.abs(Date.parse(told.now) - server.clock.businessNow().getTime())).toBeLessThan(5_000)
})

test('another customer pays to the email and to the phone it tells', async () => {
  await arrive()
  const { customer } = await panel()
  const bob = await server.visitor()
  for (const recipient of [customer.email, customer.phone]) {
    const answer = await bob.post('/api/v1/transfers', { recipient, amountMinor: 10_00, asset: 'USD' })
    expect(answer.status).toBe(200)
  }
  expect((await account()).availableMinor).toBe(BALANCE_MINOR + 20_00)
})

describe('the clock', () => {
  beforeEach(arrive)

  test.each([1, 2, 31])('goes forward by %i days, for everybody', async (days) => {
    const bob = await server.visitor()
    const before = Date.parse((await panel(bob)).now)
    await moveDate(server, ann, { days })
    const goneMs = Date.parse((await panel(bob)).now) - before - days * DAY_MS
    expect(goneMs).toBeGreaterThanOrEqual(0)
    expect(goneMs).toBeLessThan(150_000)
  })

  test('goes forward by a month of the calendar', async () => {
    const before = new Date((await panel()).now)
    await moveDate(server, ann, { months: 1 })
    const { now } = await panel()
    const [from, to] = [before, new Date(now)].map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)))
    expect(to?.equals(from?.add({ months: 1 }) ?? '')).toBe(true)
  })

  test('has bank transfers arrive, on a date that has come', async () => {
    const asked = { amountMinor: 250_00, asset: 'USD', method: 'bank' }
    const answer = await ann.post('/api/v1/top-ups', asked)
    const { settlesAt } = (await answer.json()) as { settlesAt: string }
    expect(await account()).toMatchObject({ availableMinor: BALANCE_MINOR, incomingMinor: 250_00 })
    // At most a weekend and a holiday.
    await moveDate(server, ann, { days: 5 })
    await expect.poll(() => account()).toMatchObject({ availableMinor: BALANCE_MINOR + 250_00, incomingMinor: 0 })
    const arrived = await newest()
    expect(arrived).toMatchObject({ category: 'top_up', amountMinor: 250_00, status: 'completed' })
    expect(Date.parse(arrived?.bookedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(settlesAt))
    await wait(1_500)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 250_00)
  })

  test('returns unclaimed money, and not a day too soon', async () => {
    const asked = { recipient: `nobody.${randomUUID()}@example.com`, amountMinor: 40_00, asset: 'USD' }
    expect((await ann.post('/api/v1/transfers', asked)).status).toBe(200)
    await moveDate(server, ann, { days: 6 })
    await wait(1_500)
    expect(await account()).toMatchObject({ availableMinor: BALANCE_MINOR - 40_00, heldMinor: 40_00 })
    await moveDate(server, ann, { days: 1 })
    await expect.poll(() => account()).toMatchObject({ availableMinor: BALANCE_MINOR, heldMinor: 0 })
    expect(await newest()).toMatchObject({ status: 'returned' })
  })

  test('adds up when many put it forward at once', async () => {
    const before = Date.parse((await panel()).now)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('clock', { days: 1 })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await caughtUp(server.deps, 150_000)).toBe(true)
    const days = (Date.parse((await panel()).now) - before) / DAY_MS
    expect(Math.floor(days)).toBe(8)
  })

  test('goes no further than ten years, however many try, and the bank goes on', async () => {
    const one = await testServer({ clock: 'database', openCustomer: openSampleCustomer })
    const browser = await one.visitor()
    await one.deps.pool.query(`UPDATE bank.clock SET business_epoch = '2036-08-25T09:00:00Z'`)
    await one.clock.refresh()
    const itsJobs = await startJobs(one.deps, [])
    const move = (days: number) => browser.post('/api/v1/sample/clock', { days })
    await expectRefusal(await move(31), 'date_limit_reached')
    const answers = await Promise.all([move(1), move(1), move(1), move(1), move(1), move(1)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    await one.clock.refresh()
    expect(one.clock.businessNow().toISOString().slice(0, 10)).toBe('2036-08-28')
    expect((await browser.get('/api/v1/dashboard')).status).toBe(200)
    await itsJobs.stop()
    await one.close()
  })

  test('goes forward so often in an hour and no more, for all visitors together', async () => {
    const one = await testServer({ clock: 'database' })
    const itsJobs = await startJobs(one.deps, [])
    const [eve, bob] = [await one.visitor(), await one.visitor()]
    const move = (browser: Browser) => browser.post('/api/v1/sample/clock', { days: 1 })
    for (let turn = 0; turn < 30; turn += 1) {
      const answers = await Promise.all([move(eve), move(bob)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    const before = one.clock.businessNow().getTime()
    await expectRefusal(await move(eve), 'date_moved_often')
    await expectRefusal(await move(bob), 'date_moved_often')
    expect(one.clock.businessNow().getTime() - before).toBeLessThan(60_000)
    await itsJobs.stop()
    await one.close()
  })

  test('is the operator’s alone where they say so', async () => {
    const one = await testServer({ clock: 'database', config: { sampleDate: 'operator' } })
    const browser = await one.visitor()
    expect(await read<SamplePanel>(browser, '/sample')).toMatchObject({ dateMovedBy: 'operator' })
    const before = one.clock.businessNow().getTime()
    await expectRefusal(await browser.post('/api/v1/sample/clock', { days: 1 }), 'date_kept')
    await one.clock.refresh()
    expect(one.clock.businessNow().getTime() - before).toBeLessThan(60_000)
    await one.close()
  })
})

describe('a shop', () => {
  beforeEach(arrive)

  test('charges the main card, which earns points', async () => {
    const charge = await booked(await post('charges', {}))
    expect(charge).toMatchObject({
      status: 'completed',
      paymentMethod: { code: 'debit_card', params: { lastFour: expect.stringMatching(/^\d{4}$/) } },
    })
    expect(charge.amountMinor).toBeLessThan(0)
    expect(charge.amountMinor).toBeGreaterThanOrEqual(-150_00)
    expect(await newest()).toEqual(charge)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + charge.amountMinor)
  })

  test.each(['food', 'shopping', 'transport', 'entertainment'])(
    'of %s, for the amount it is told',
    async (category) => {
      const charge = await booked(await post('charges', { category, amountMinor: 12_34 }))
      expect(charge).toMatchObject({ category, amountMinor: -12_34 })
    },
  )

  test('charges once, however often it is asked', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, async () => booked(await post('charges', {}, key))))
    const [first] = answers
    expect(answers).toEqual(Array(6).fill(first))
    expect(await booked(await post('charges', {}, key.toUpperCase()))).toEqual(first)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + (first?.amountMinor ?? 0))
    const before = await state()
    await expectRefusal(await post('charges', { category: 'food' }, key), 'idempotency_key_reused')
    expect(await state()).toEqual(before)
  })

  test('abroad earns more points', async () => {
    const charge = await booked(await post('charges', { where: 'abroad' }))
    expect(charge).toMatchObject({ status: 'completed', category: 'food' })
    await server.deps.paymentPoints.flush()
    const { rows } = await server.deps.pool.query(
      `SELECT points FROM bank.points_earning WHERE kind = 'card' ORDER BY points DESC LIMIT 1`,
    )
    expect(rows).toEqual([{ points: 25 }])
  })

  test('is declined for more than the card may pay, and stays unpaid under that key', async () => {
    const key = randomUUID()
    const declined = async (body: object) => (await post('charges', body, key)).json()
    const first = await declined({ where: 'declined' })
    expect(first).toEqual({ transaction: null, declined: 'card_maximum' })
    await booked(await post('salary'))
    expect(await declined({ where: 'declined' })).toEqual(first)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 3_500_00)
  })

  test('needs a card to charge', async () => {
    const { id } = await createCustomer(server.deps, { fullName: 'Bo Bare', email: `bo.${randomUUID()}@example.com` })
    const cookie = await signInCookie(server.deps, id)
    const answer = await server.browser().post('/api/v1/sample/charges', {}, { headers: { cookie } })
    await expectRefusal(answer, 'not_found')
  })
})

describe('a salary', () => {
  beforeEach(arrive)

  test('arrives', async () => {
    const salary = await booked(await post('salary'))
    expect(salary).toMatchObject({
      name: lineNamed('Northwind Studio'),
      amountMinor: 3_500_00,
      category: 'income',
      note: 'Salary',
    })
    expect(await newest()).toEqual(salary)
  })

  test('arrives once, however often it is asked for', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      [undefined, {}, undefined, {}].map(async (body) => booked(await post('salary', body, key))),
    )
    expect(answers).toEqual(Array(4).fill(answers[0]))
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 3_500_00)
  })
})

describe('a friend', () => {
  beforeEach(arrive)

  test('asks for money once for a key, is known, and is paid', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 4 }, async () => (await post('requests', {}, key)).json()))
    const [{ request }] = answers as [{ request: MoneyRequest }]
    // Whether they know each other is found out a moment later, perhaps between two answers.
    const alike = answers.map((answer) => ({ ...(answer as { request: MoneyRequest }).request, fromStranger: false }))
    expect(alike).toEqual(Array.from({ length: 4 }, () => ({ ...request, fromStranger: false })))
    expect(request).toMatchObject({ side: 'payer', status: 'open' })
    await expect
      .poll(async () => (await read<RequestList>(ann, '/money-requests')).received)
      .toEqual([{ ...request, fromStranger: false }])
    const paid = { amountMinor: request.amountMinor, asset: 'USD' }
    const payment = await booked(await ann.post(`/api/v1/money-requests/${request.id}/payments`, paid))
    expect(payment).toMatchObject({ name: lineNamed(request.name ?? ''), note: request.note })
    expect((await account()).availableMinor).toBe(BALANCE_MINOR - request.amountMinor)
  })
})

describe('starting over', () => {
  beforeEach(arrive)

  test('is a new customer, and the one before stays in the books', async () => {
    await booked(await post('charges', { amountMinor: 100 }))
    const [before, cookie] = [await panel(), ann.cookie()]
    const answer = await post('restart')
    expect(answer.status).toBe(200)
    const now = (await answer.json()) as Me
    expect(now.customer.email).not.toBe(before.customer.email)
    expect(now).toEqual(await read<Me>(ann, '/me'))
    expect((await account()).availableMinor).toBe(BALANCE_MINOR)
    expect(ann.cookie()).not.toBe(cookie)
    await expectRefusal(await server.browser().get('/api/v1/me', { headers: { cookie } }), 'sign_in_required')
    const old = await findCustomerByContact(server.deps, { kind: 'email', value: before.customer.email })
    const accounts = await accountsOf(runOn(server.deps.pool), old?.id ?? '')
    expect(accounts.find(({ id }) => id === old?.currentAccountId)?.balanceMinor).toBe(BALANCE_MINOR - 100)
  })

  test('tells the story in the language that was chosen on the device', async () => {
    const cookie = `${ann.cookie()}; alder-language=de`
    expect((await ann.post('/api/v1/sample/restart', undefined, { headers: { cookie } })).status).toBe(200)
    const { goals } = await read<GoalList>(ann, '/goals')
    expect(goals.map(({ name }) => name)).toEqual(['Urlaubskasse', 'Notgroschen', 'Neues Auto'])
    const { cards } = await read<CardList>(ann, '/cards')
    expect(cards.map(({ name }) => name)).toContain('Virtuelle Karte')
    const found = async (words: string) =>
      (await read<{ transactions: Transaction[] }>(ann, `/transactions?q=${encodeURIComponent(words)}`)).transactions
    expect(await found('Gehalt')).toHaveLength(8)
    for (const words of ['Finanzamt', 'Konzertkarten', 'meiner alten Bank']) expect(await found(words)).toHaveLength(1)
    expect(await found('Salary')).toEqual([])
    expect((await account()).availableMinor).toBe(BALANCE_MINOR)
  })

  test('counts among the visits of an address', async () => {
    const one = await testServer()
    const browser = await one.visitor()
    const statuses: number[] = []
    for (let turn = 0; turn < 60; turn += 1) statuses.push((await browser.post('/api/v1/sample/restart')).status)
    expect(statuses).toEqual([...Array(59).fill(200), 429])
    const kept = await browser.get('/api/v1/sample')
    expect(kept.status).toBe(200)
    await one.close()
  })
})

test('a live bank has none of it, and does not speak of it', async () => {
  const live = await testServer({ config: { mode: 'live' } })
  const { id } = await createCustomer(live.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
  const cookie = await signInCookie(live.deps, id)
  for (const headers of [{}, { cookie }]) {
    const browser = live.browser()
    await expectRefusal(await browser.get('/api/v1/sample', { headers }), 'not_found')
    for (const route of ROUTES) {
      await expectRefusal(await browser.post(`/api/v1/sample/${route}`, { days: 1 }, { headers }), 'not_found')
    }
  }
  const { paths } = (await (await live.browser().get('/api/openapi.json')).json()) as { paths: object }
  expect(Object.keys(paths).filter((path) => /\/sample(?!\/mail)/.test(path))).toEqual([])
  await live.close()
})
