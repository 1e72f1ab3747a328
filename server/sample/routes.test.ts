import { lineNamed } from '#contract/line-texts.ts'
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
import { hasCaughtUp } from '#server/platform/jobs/date-walk.ts'
import { type Jobs, startJobs } from '#server/platform/jobs/worker.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import type { Browser } from '#server/test/browser.ts'
import { moveSampleDate } from '#server/test/move-date.ts'
import { auditTestBooks, expectRefusal } from '#server/test/people.ts'
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
  await auditTestBooks(server)
  await server.close()
})

/** Signs Ann in as a new visitor with a new sample history. */
async function arrive(): Promise<void> {
  // One IP address may open only a few visitors a minute, and these tests open more.
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

async function readBooked(answer: Response): Promise<Transaction> {
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { transaction: Transaction }).transaction
}

/** Reads the state once all asynchronous writes of earlier steps are done. */
async function stateAtRest() {
  for (let before = await state(); ;) {
    await wait(250)
    const now = await state()
    if (isDeepStrictEqual(now, before)) return now
    before = now
  }
}

/** Reads the bank's records and date, which a refused request must not change. */
async function state() {
  // Points of a card payment are written with a delay.
  await server.deps.paymentPoints.flush()
  await server.clock.refresh()
  const { rows } = await server.deps.pool.query('SELECT business_epoch FROM bank.clock')
  return { books: await auditTestBooks(server), clock: rows, customer: (await panel()).customer }
}

// These tests run first, and for one visitor, because each reads the records of all customers.
describe('a refused request changes nothing:', () => {
  beforeAll(arrive)

  test.each([
    ['zero days', { days: 0 }, 'days'],
    ['a negative number of days', { days: -1 }, 'days'],
    ['half a day', { days: 1.5 }, 'days'],
    ['more than 31 days', { days: 32 }, 'days'],
    ['days in quotes', { days: '1' }, 'days'],
    ['no number', { days: null }, 'days'],
    ['two months', { months: 2 }, 'months'],
    ['zero months', { months: 0 }, 'months'],
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

  test('the clock does not move for invalid JSON', async () => {
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
    ['an amount of zero', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
    ['a negative amount', { amountMinor: -1 }, 'amount_invalid', 'amountMinor'],
    ['half a cent', { amountMinor: 1.5 }, 'amount_invalid', 'amountMinor'],
    ['an amount in quotes', { amountMinor: '100' }, 'amount_invalid', 'amountMinor'],
    ['an unknown key', { merchant: 'Mine' }, 'request_invalid', 'merchant'],
  ] as const)('a shop does not charge for %s', async (_, body, code, field) => {
    const before = await state()
    await expectRefusal(await post('charges', body), code, field)
    expect(await state()).toEqual(before)
  })

  test('a salary has no other fields', async () => {
    const before = await state()
    await expectRefusal(await post('salary', { amountMinor: 1 }), 'request_invalid', 'amountMinor')
    expect(await state()).toEqual(before)
  })

  test('starting over has no options', async () => {
    const before = await state()
    await expectRefusal(await post('restart', { fullName: 'Me' }), 'request_invalid', 'fullName')
    expect(await state()).toEqual(before)
  })

  test('a friend pays their share of a bill, once per key', async () => {
    await expectRefusal(await post('payments'), 'nobody_asked')
    const people = [
      { name: 'Sarah', address: 'sarah.johnson@example.com' },
      { name: 'Somebody', address: 'somebody@example.com' },
    ]
    const split = await ann.post('/api/v1/bills', { totalMinor: 90_00, asset: 'USD', division: 'equal', people })
    expect(split.status).toBe(200)
    const before = (await account()).availableMinor
    const key = randomUUID()
    const paid = await readBooked(await post('payments', undefined, key))
    expect(paid).toMatchObject({ amountMinor: 30_00, name: lineNamed('Sarah Johnson') })
    expect(await readBooked(await post('payments', undefined, key))).toEqual(paid)
    expect((await account()).availableMinor).toBe(before + 30_00)
    await expectRefusal(await post('payments'), 'nobody_asked')
  })

  test.each(['charges', 'salary', 'requests', 'payments'] as const)('%s requires a key', async (route) => {
    const before = await stateAtRest()
    await expectRefusal(await post(route, {}, null), 'idempotency_key_missing')
    await expectRefusal(await post(route, {}, 'mine'), 'idempotency_key_invalid')
    expect(await state()).toEqual(before)
  })

  test('all routes are refused without a session', async () => {
    const before = await state()
    const stranger = server.browser()
    await expectRefusal(await stranger.get('/api/v1/sample'), 'sign_in_required')
    for (const route of ROUTES) {
      await expectRefusal(await stranger.post(`/api/v1/sample/${route}`, { days: 1 }), 'sign_in_required')
    }
    expect(await state()).toEqual(before)
  })

  test('all routes are refused for a page of another site', async () => {
    const before = await state()
    for (const route of ROUTES) {
      const answer = await ann.post(`/api/v1/sample/${route}`, {}, { headers: { origin: 'https://example.com' } })
      await expectRefusal(answer, 'origin_refused')
    }
    expect(await state()).toEqual(before)
  })
})

test('the panel shows the date and the requesters', async () => {
  await arrive()
  const { customer } = await read<Me>(ann, '/me')
  const panelState = await panel()
  expect(panelState.customer).toEqual({
    fullName: customer.fullName,
    email: customer.email,
    phone: expect.stringMatching(/^\+447700900\d{3}$/),
  })
  expect(Math.abs(Date.parse(panelState.now) - server.clock.businessNow().getTime())).toBeLessThan(5_000)
})

test('another customer pays to the email and the phone that the panel shows', async () => {
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

  test.each([1, 2, 31])('goes forward by %i days, for all customers', async (days) => {
    const bob = await server.visitor()
    const before = Date.parse((await panel(bob)).now)
    await moveSampleDate(server, ann, { days })
    const goneMs = Date.parse((await panel(bob)).now) - before - days * DAY_MS
    expect(goneMs).toBeGreaterThanOrEqual(0)
    expect(goneMs).toBeLessThan(150_000)
  })

  test('goes forward by a calendar month', async () => {
    const before = new Date((await panel()).now)
    await moveSampleDate(server, ann, { months: 1 })
    const { now } = await panel()
    const [from, to] = [before, new Date(now)].map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)))
    expect(to?.equals(from?.add({ months: 1 }) ?? '')).toBe(true)
  })

  test('settles bank transfers on their date', async () => {
    const deposit = { amountMinor: 250_00, asset: 'USD', method: 'bank' }
    const answer = await ann.post('/api/v1/top-ups', deposit)
    const { settlesAt } = (await answer.json()) as { settlesAt: string }
    expect(await account()).toMatchObject({ availableMinor: BALANCE_MINOR, incomingMinor: 250_00 })
    // Five days cover a weekend and a holiday.
    await moveSampleDate(server, ann, { days: 5 })
    await expect.poll(() => account()).toMatchObject({ availableMinor: BALANCE_MINOR + 250_00, incomingMinor: 0 })
    const arrived = await newest()
    expect(arrived).toMatchObject({ category: 'top_up', amountMinor: 250_00, status: 'completed' })
    expect(Date.parse(arrived?.bookedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(settlesAt))
    await wait(1_500)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 250_00)
  })

  test('returns unclaimed money, and not a day too early', async () => {
    const payment = { recipient: `nobody.${randomUUID()}@example.com`, amountMinor: 40_00, asset: 'USD' }
    expect((await ann.post('/api/v1/transfers', payment)).status).toBe(200)
    await moveSampleDate(server, ann, { days: 6 })
    await wait(1_500)
    expect(await account()).toMatchObject({ availableMinor: BALANCE_MINOR - 40_00, heldMinor: 40_00 })
    await moveSampleDate(server, ann, { days: 1 })
    await expect.poll(() => account()).toMatchObject({ availableMinor: BALANCE_MINOR, heldMinor: 0 })
    expect(await newest()).toMatchObject({ status: 'returned' })
  })

  test('adds up simultaneous moves', async () => {
    const before = Date.parse((await panel()).now)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('clock', { days: 1 })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await hasCaughtUp(server.deps, 150_000)).toBe(true)
    const days = (Date.parse((await panel()).now) - before) / DAY_MS
    expect(Math.floor(days)).toBe(8)
  })

  test('goes forward by at most ten years, and the bank continues', async () => {
    const liveServer = await testServer({ clock: 'database', openCustomer: openSampleCustomer })
    const browser = await liveServer.visitor()
    await liveServer.deps.pool.query(`UPDATE bank.clock SET business_epoch = '2036-08-25T09:00:00Z'`)
    await liveServer.clock.refresh()
    const itsJobs = await startJobs(liveServer.deps, [])
    const move = (days: number) => browser.post('/api/v1/sample/clock', { days })
    await expectRefusal(await move(31), 'date_limit_reached')
    const answers = await Promise.all([move(1), move(1), move(1), move(1), move(1), move(1)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    await liveServer.clock.refresh()
    expect(liveServer.clock.businessNow().toISOString().slice(0, 10)).toBe('2036-08-28')
    expect((await browser.get('/api/v1/dashboard')).status).toBe(200)
    await itsJobs.stop()
    await liveServer.close()
  })

  test('goes forward a limited number of times per hour, for all visitors together', async () => {
    const liveServer = await testServer({ clock: 'database' })
    const itsJobs = await startJobs(liveServer.deps, [])
    const [eve, bob] = [await liveServer.visitor(), await liveServer.visitor()]
    const move = (browser: Browser) => browser.post('/api/v1/sample/clock', { days: 1 })
    for (let turn = 0; turn < 30; turn += 1) {
      const answers = await Promise.all([move(eve), move(bob)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    const before = liveServer.clock.businessNow().getTime()
    await expectRefusal(await move(eve), 'date_moved_often')
    await expectRefusal(await move(bob), 'date_moved_often')
    expect(liveServer.clock.businessNow().getTime() - before).toBeLessThan(60_000)
    await itsJobs.stop()
    await liveServer.close()
  })

  test('can be reserved for the operator', async () => {
    const liveServer = await testServer({ clock: 'database', config: { sampleDate: 'operator' } })
    const browser = await liveServer.visitor()
    expect(await read<SamplePanel>(browser, '/sample')).toMatchObject({ dateMovedBy: 'operator' })
    const before = liveServer.clock.businessNow().getTime()
    await expectRefusal(await browser.post('/api/v1/sample/clock', { days: 1 }), 'date_kept')
    await liveServer.clock.refresh()
    expect(liveServer.clock.businessNow().getTime() - before).toBeLessThan(60_000)
    await liveServer.close()
  })
})

describe('a shop', () => {
  beforeEach(arrive)

  test('charges the main card, which earns points', async () => {
    const charge = await readBooked(await post('charges', {}))
    expect(charge).toMatchObject({
      status: 'completed',
      paymentMethod: { code: 'debit_card', params: { lastFour: expect.stringMatching(/^\d{4}$/) } },
    })
    expect(charge.amountMinor).toBeLessThan(0)
    expect(charge.amountMinor).toBeGreaterThanOrEqual(-150_00)
    expect(await newest()).toEqual(charge)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + charge.amountMinor)
  })

  test.each(['food', 'shopping', 'transport', 'entertainment'])('of %s charges the given amount', async (category) => {
    const charge = await readBooked(await post('charges', { category, amountMinor: 12_34 }))
    expect(charge).toMatchObject({ category, amountMinor: -12_34 })
  })

  test('charges once for any number of requests with one key', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, async () => readBooked(await post('charges', {}, key))))
    const [first] = answers
    expect(answers).toEqual(Array(6).fill(first))
    expect(await readBooked(await post('charges', {}, key.toUpperCase()))).toEqual(first)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + (first?.amountMinor ?? 0))
    const before = await state()
    await expectRefusal(await post('charges', { category: 'food' }, key), 'idempotency_key_reused')
    expect(await state()).toEqual(before)
  })

  test('abroad brings more points', async () => {
    const charge = await readBooked(await post('charges', { where: 'abroad' }))
    expect(charge).toMatchObject({ status: 'completed', category: 'food' })
    await server.deps.paymentPoints.flush()
    const { rows } = await server.deps.pool.query(
      `SELECT points FROM bank.points_earning WHERE kind = 'card' ORDER BY points DESC LIMIT 1`,
    )
    expect(rows).toEqual([{ points: 25 }])
  })

  test('is declined beyond the card’s limit, and the payment stays refused under that key', async () => {
    const key = randomUUID()
    const postDeclined = async (body: object) => (await post('charges', body, key)).json()
    const first = await postDeclined({ where: 'declined' })
    expect(first).toEqual({ transaction: null, declined: 'card_maximum' })
    await readBooked(await post('salary'))
    expect(await postDeclined({ where: 'declined' })).toEqual(first)
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 3_500_00)
  })

  test('requires a card', async () => {
    const { id } = await createCustomer(server.deps, { fullName: 'Bo Bare', email: `bo.${randomUUID()}@example.com` })
    const cookie = await signInCookie(server.deps, id)
    const answer = await server.browser().post('/api/v1/sample/charges', {}, { headers: { cookie } })
    await expectRefusal(answer, 'not_found')
  })
})

describe('a salary', () => {
  beforeEach(arrive)

  test('arrives', async () => {
    const salary = await readBooked(await post('salary'))
    expect(salary).toMatchObject({
      name: lineNamed('Northwind Studio'),
      amountMinor: 3_500_00,
      category: 'income',
      note: 'Salary',
    })
    expect(await newest()).toEqual(salary)
  })

  test('arrives once for any number of requests with one key', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      [undefined, {}, undefined, {}].map(async (body) => readBooked(await post('salary', body, key))),
    )
    expect(answers).toEqual(Array(4).fill(answers[0]))
    expect((await account()).availableMinor).toBe(BALANCE_MINOR + 3_500_00)
  })
})

describe('a friend', () => {
  beforeEach(arrive)

  test('requests money once per key, becomes a contact, and is paid', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 4 }, async () => (await post('requests', {}, key)).json()))
    const [{ request }] = answers as [{ request: MoneyRequest }]
    // `fromStranger` is decided a moment after the request, possibly between two responses.
    const alike = answers.map((answer) => ({ ...(answer as { request: MoneyRequest }).request, fromStranger: false }))
    expect(alike).toEqual(Array.from({ length: 4 }, () => ({ ...request, fromStranger: false })))
    expect(request).toMatchObject({ side: 'payer', status: 'open' })
    await expect
      .poll(async () => (await read<RequestList>(ann, '/money-requests')).received)
      .toEqual([{ ...request, fromStranger: false }])
    const paid = { amountMinor: request.amountMinor, asset: 'USD' }
    const payment = await readBooked(await ann.post(`/api/v1/money-requests/${request.id}/payments`, paid))
    expect(payment).toMatchObject({ name: lineNamed(request.name ?? ''), note: request.note })
    expect((await account()).availableMinor).toBe(BALANCE_MINOR - request.amountMinor)
  })
})

describe('starting over', () => {
  beforeEach(arrive)

  test('creates a new customer, and keeps the old one in the books', async () => {
    await readBooked(await post('charges', { amountMinor: 100 }))
    const [panelBefore, cookie] = [await panel(), ann.cookie()]
    const answer = await post('restart')
    expect(answer.status).toBe(200)
    const now = (await answer.json()) as Me
    expect(now.customer.email).not.toBe(panelBefore.customer.email)
    expect(now).toEqual(await read<Me>(ann, '/me'))
    expect((await account()).availableMinor).toBe(BALANCE_MINOR)
    expect(ann.cookie()).not.toBe(cookie)
    await expectRefusal(await server.browser().get('/api/v1/me', { headers: { cookie } }), 'sign_in_required')
    const old = await findCustomerByContact(server.deps, { kind: 'email', value: panelBefore.customer.email })
    const accounts = await accountsOf(runOn(server.deps.pool), old?.id ?? '')
    expect(accounts.find(({ id }) => id === old?.currentAccountId)?.balanceMinor).toBe(BALANCE_MINOR - 100)
  })

  test('writes the sample history in the language that was chosen on the device', async () => {
    const cookie = `${ann.cookie()}; alder-language=de`
    expect((await ann.post('/api/v1/sample/restart', undefined, { headers: { cookie } })).status).toBe(200)
    const { goals } = await read<GoalList>(ann, '/goals')
    expect(goals.map(({ name }) => name)).toEqual(['Urlaubskasse', 'Notgroschen', 'Neues Auto'])
    const { cards } = await read<CardList>(ann, '/cards')
    expect(cards.map(({ name }) => name)).toContain('Virtuelle Karte')
    const searchTransactions = async (words: string) =>
      (await read<{ transactions: Transaction[] }>(ann, `/transactions?q=${encodeURIComponent(words)}`)).transactions
    expect(await searchTransactions('Gehalt')).toHaveLength(8)
    for (const words of ['Finanzamt', 'Konzertkarten', 'meiner alten Bank'])
      expect(await searchTransactions(words)).toHaveLength(1)
    expect(await searchTransactions('Salary')).toEqual([])
    expect((await account()).availableMinor).toBe(BALANCE_MINOR)
  })

  test('counts as a visit of its address', async () => {
    const liveServer = await testServer()
    const browser = await liveServer.visitor()
    const statuses: number[] = []
    for (let turn = 0; turn < 60; turn += 1) statuses.push((await browser.post('/api/v1/sample/restart')).status)
    expect(statuses).toEqual([...Array(59).fill(200), 429])
    const sampleResponse = await browser.get('/api/v1/sample')
    expect(sampleResponse.status).toBe(200)
    await liveServer.close()
  })
})

test('a live bank has no sample routes, and does not mention them', async () => {
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
