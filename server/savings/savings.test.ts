import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_GOALS } from '#contract/goals.ts'
import type { Goal, GoalList } from '#contract/savings.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { runOn } from '#server/platform/db/run.ts'
import { interestJob } from '#server/savings/interest-payments.ts'
import { monthlyMoves } from '#server/savings/monthly.ts'
import { overdueOrdersOf, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { createGoals, goalMoveOperation, goalsOf } from '#server/savings/service.ts'
import { testClock } from '#server/test/bank.ts'
import { bookAsBefore } from '#server/test/ledger.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: TestPerson

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann.${randomUUID()}@example.com` })
  await ann.fund(100_00)
})

const NEW = { name: 'Sea', icon: 'plane', targetMinor: 500_00, targetOn: null, lockedUntil: null }

const make = (person: TestPerson, goal: object = {}) => person.browser.post('/api/v1/goals', { ...NEW, ...goal })
const move = (person: TestPerson, id: string, what: 'deposits' | 'withdrawals', amountMinor: number, key?: string) =>
  person.browser.post(`/api/v1/goals/${id}/${what}`, { amountMinor, asset: 'USD' }, key ? { key } : undefined)
const closing = (person: TestPerson, id: string, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/goals/${id}/close`, undefined, { key })
const put = (person: TestPerson, path: string, body: object) =>
  person.browser.send('PUT', `/api/v1${path}`, JSON.stringify(body))
const list = async (person: TestPerson) => (await (await person.browser.get('/api/v1/goals')).json()) as GoalList

/** Opens a goal for Ann, with some money in it. */
async function annsGoal(savedMinor = 0, goal: object = {}): Promise<string> {
  const { id } = await (await make(ann, goal)).json()
  if (savedMinor > 0) expect((await move(ann, id, 'deposits', savedMinor)).status).toBe(200)
  return id
}

const annsOnly = async (): Promise<Goal> => (await list(ann)).goals[0] as Goal

/** Returns both balances in cents: [current, goal]. */
const readBalances = async () => [
  await ann.balanceMinor(),
  (await goalsOf(server.deps, ann.customer.id))[0]?.savedMinor,
]

const noticesOf = async (person: TestPerson) =>
  (
    await runOn(server.deps.pool)(
      `SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id`,
      [person.customer.id],
    )
  ).rows

/** Returns the number of entries in all accounts of a person. */
async function entriesOf({ customer }: TestPerson): Promise<unknown> {
  const { rows } = await runOn(server.deps.pool)(
    'SELECT sum(version) AS entries FROM ledger.account WHERE holder_id = $1',
    [customer.id],
  )
  return rows[0]?.['entries']
}

test('goals keep their order of creation, even for simultaneous ones', async () => {
  const goal = (name: string) => ({ name, icon: 'gift' as const, targetMinor: 500_00 })
  await createGoals(server.deps, ann.customer.id, [goal('First'), goal('Second')])
  await Promise.all([make(ann, { name: 'Third' }), make(ann, { name: 'Fourth' })])
  const goals = await goalsOf(server.deps, ann.customer.id)
  expect(goals.map(({ name }) => name).slice(0, 2)).toEqual(['First', 'Second'])
  expect(new Set(goals.map(({ accountId }) => accountId)).size).toBe(4)
  const first = { name: 'First', icon: 'gift', savedMinor: 0, targetMinor: 500_00, asset: 'USD' }
  expect((await ann.dashboard()).goal).toEqual(first)
})

test('saved money leaves the current account once, is not spending, and can be withdrawn', async () => {
  const id = await annsGoal()
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => move(ann, id, 'deposits', 30_00, key)))
  for (const answer of answers)
    expect(await answer.json()).toEqual({ amountMinor: 30_00, asset: 'USD', savedMinor: 30_00 })
  const { account, goal } = await ann.dashboard()
  expect(account).toMatchObject({ availableMinor: 70_00, monthChangeMinor: 0, spentMinor: 0 })
  expect(goal).toMatchObject({ name: 'Sea', savedMinor: 30_00 })
  expect(await (await move(ann, id, 'withdrawals', 10_00)).json()).toMatchObject({ savedMinor: 20_00 })
  expect((await ann.transactions()).slice(0, 2)).toMatchObject([
    { name: lineNamed('Sea'), amountMinor: 10_00, category: 'savings' },
    { name: lineNamed('Sea'), amountMinor: -30_00, category: 'savings' },
  ])
  expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 80_00, monthChangeMinor: 0 })
  const { entries } = await (await ann.browser.get(`/api/v1/goals/${id}/activity`)).json()
  expect(entries).toMatchObject([
    { label: 'savings.withdrawn', amountMinor: -10_00 },
    { label: 'savings.added', amountMinor: 30_00 },
  ])
})

describe('a refused request changes nothing', () => {
  const bad: [string, (id: string) => Promise<Response>, Parameters<typeof expectRefusal>[1], string?][] = [
    ['adding more than the available money', (id) => move(ann, id, 'deposits', 70_01), 'insufficient_funds'],
    ['withdrawing more than the goal has', (id) => move(ann, id, 'withdrawals', 30_01), 'insufficient_funds'],
    ['adding zero', (id) => move(ann, id, 'deposits', 0), 'amount_invalid', 'amountMinor'],
    ['withdrawing a negative amount', (id) => move(ann, id, 'withdrawals', -1), 'amount_invalid', 'amountMinor'],
    ['half a cent', (id) => move(ann, id, 'deposits', 0.5), 'amount_invalid', 'amountMinor'],
    ['a target of 0', () => make(ann, { targetMinor: 0 }), 'amount_invalid', 'targetMinor'],
    ['an empty name', () => make(ann, { name: '  ' }), 'fields_missing', 'name'],
    ['an unknown icon', () => make(ann, { icon: 'yacht' }), 'request_invalid', 'icon'],
    ['February 31', () => make(ann, { targetOn: '2027-02-31' }), 'request_invalid', 'targetOn'],
    ['a date in the past', () => make(ann, { targetOn: '2026-08-27' }), 'date_not_ahead', 'targetOn'],
    ['today as a date', () => make(ann, { targetOn: '2026-08-28' }), 'date_not_ahead', 'targetOn'],
    ['a lock until yesterday', () => make(ann, { lockedUntil: '2026-08-27' }), 'date_not_ahead', 'lockedUntil'],
    [
      'the 32nd of each month',
      (id) => put(ann, `/goals/${id}/monthly`, { amountMinor: 1, asset: 'USD', dayOfMonth: 32 }),
      'request_invalid',
      'dayOfMonth',
    ],
    [
      'zero each month',
      (id) => put(ann, `/goals/${id}/monthly`, { amountMinor: 0, asset: 'USD', dayOfMonth: 1 }),
      'amount_invalid',
      'amountMinor',
    ],
    [
      'rounding up to three times the amount',
      (id) => put(ann, '/round-ups', { goalId: id, times: 3 }),
      'request_invalid',
      'times',
    ],
    ['rounding up into an unknown goal', () => put(ann, '/round-ups', { goalId: randomUUID(), times: 1 }), 'not_found'],
    ['rounding up into an invalid id', () => put(ann, '/round-ups', { goalId: 'x', times: 1 }), 'not_found'],
    ['moving to an invalid id', () => move(ann, 'x', 'deposits', 1), 'not_found'],
  ]
  test.each(bad)('for %s', async (_what, act, code, field) => {
    const id = await annsGoal(30_00)
    const before = [await auditTestBooks(server), await list(ann)]
    await expectRefusal(await act(id), code, field)
    expect([await auditTestBooks(server), await list(ann)]).toEqual(before)
  })

  test('for another customer’s goal, with any request', async () => {
    const id = await annsGoal(30_00)
    const eve = await server.person({ fullName: 'Eve Else', email: `eve.${randomUUID()}@example.com` })
    await eve.fund(50_00)
    const before = [await auditTestBooks(server), await list(ann)]
    await expectRefusal(await move(eve, id, 'withdrawals', 1), 'not_found')
    await expectRefusal(await move(eve, id, 'deposits', 1), 'not_found')
    await expectRefusal(await closing(eve, id), 'not_found')
    await expectRefusal(await put(eve, '/round-ups', { goalId: id, times: 1 }), 'not_found')
    expect([await auditTestBooks(server), await list(ann)]).toEqual(before)
  })

  test('for one goal too many, with simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: MAX_GOALS + 5 }, () => make(ann)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_GOALS)
    await expectRefusal(await make(ann), 'goals_full')
    expect((await list(ann)).goals).toHaveLength(MAX_GOALS)
    // Closing a goal makes room for another.
    expect((await closing(ann, (await annsOnly()).id)).status).toBe(200)
    expect((await make(ann)).status).toBe(200)
  })
})

test('two simultaneous withdrawals of everything are made once', async () => {
  const id = await annsGoal(60_00)
  const answers = await Promise.all([1, 2, 3, 4].map(() => move(ann, id, 'withdrawals', 60_00)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422])
  expect(await readBalances()).toEqual([100_00, 0])
})

test('a goal is created once per key, and can be changed', async () => {
  const key = randomUUID()
  const responses = await Promise.all([1, 2].map(() => ann.browser.post('/api/v1/goals', NEW, { key })))
  const [first, second] = await Promise.all(responses.map((answer) => answer.json()))
  expect(first).toEqual(second)
  const changed = { name: 'Ocean', icon: 'leaf', targetMinor: 900_00, targetOn: '2027-01-31' }
  expect((await put(ann, `/goals/${first.id}`, changed)).status).toBe(204)
  expect((await list(ann)).goals).toMatchObject([changed])
  // A date that has passed may stay, but a new date must be in the future.
  clock.set(new Date('2027-03-01T09:00:00Z'))
  expect((await put(ann, `/goals/${first.id}`, { ...changed, name: 'Sea again' })).status).toBe(204)
  await expectRefusal(
    await put(ann, `/goals/${first.id}`, { ...changed, targetOn: '2027-02-01' }),
    'date_not_ahead',
    'targetOn',
  )
})

test('the monthly saving is the missing amount divided by the remaining months, rounded up', async () => {
  await annsGoal(50_00, { targetOn: '2027-02-28' })
  expect((await annsOnly()).monthlyNeedMinor).toBe(75_00)
  clock.set(new Date('2026-08-29T00:00:00Z'))
  expect((await annsOnly()).monthlyNeedMinor).toBe(75_00)
  clock.set(new Date('2027-02-27T00:00:00Z'))
  expect((await annsOnly()).monthlyNeedMinor).toBe(450_00)
  clock.set(new Date('2027-04-01T00:00:00Z'))
  expect((await annsOnly()).monthlyNeedMinor).toBe(450_00)
})

describe('a locked goal', () => {
  test('accepts money and releases none until its date', async () => {
    const id = await annsGoal(30_00, { lockedUntil: '2026-12-24' })
    const before = await auditTestBooks(server)
    await expectRefusal(await move(ann, id, 'withdrawals', 1), 'goal_locked')
    await expectRefusal(await closing(ann, id), 'goal_locked')
    expect(await auditTestBooks(server)).toEqual(before)
    clock.set(new Date('2026-12-23T23:59:59Z'))
    await expectRefusal(await move(ann, id, 'withdrawals', 1), 'goal_locked')
    clock.set(new Date('2026-12-24T00:00:00Z'))
    expect((await move(ann, id, 'withdrawals', 30_00)).status).toBe(200)
    expect(await annsOnly()).toMatchObject({ lockedUntil: null })
  })

  test('is unlocked early a day after the request, with a notice', async () => {
    const id = await annsGoal(30_00, { lockedUntil: '2026-12-24' })
    await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ notifications: false }))
    const unlock = () => ann.browser.post(`/api/v1/goals/${id}/unlock`)
    await Promise.all([unlock(), unlock()])
    clock.set(new Date('2026-08-29T09:40:59Z'))
    expect((await unlock()).status).toBe(204)
    await expectRefusal(await move(ann, id, 'withdrawals', 1), 'goal_locked')
    expect(await annsOnly()).toMatchObject({ lockedUntil: '2026-12-24', unlocksAt: '2026-08-29T09:41:00.000Z' })
    expect(await noticesOf(ann)).toMatchObject([{ kind: 'goal_unlocking', params: { name: 'Sea' } }])
    clock.set(new Date('2026-08-29T09:41:00Z'))
    expect((await move(ann, id, 'withdrawals', 1)).status).toBe(200)
  })

  test('can be locked again or for longer, and never for less', async () => {
    const id = await annsGoal(30_00, { lockedUntil: '2026-12-24' })
    const lock = (lockedUntil: string) => put(ann, `/goals/${id}/lock`, { lockedUntil })
    await ann.browser.post(`/api/v1/goals/${id}/unlock`)
    await expectRefusal(await lock('2026-12-23'), 'lock_shortened', 'lockedUntil')
    await expectRefusal(await lock('2026-08-28'), 'date_not_ahead', 'lockedUntil')
    expect((await lock('2026-12-24')).status).toBe(204)
    clock.set(new Date('2026-09-30T09:41:00Z'))
    await expectRefusal(await move(ann, id, 'withdrawals', 1), 'goal_locked')
    await ann.browser.post(`/api/v1/goals/${id}/unlock`)
    clock.set(new Date('2026-10-02T09:41:00Z'))
    // The goal is unlocked now, so a new lock may have any length.
    expect((await lock('2026-10-04')).status).toBe(204)
    expect(await annsOnly()).toMatchObject({ lockedUntil: '2026-10-04', unlocksAt: null })
  })
})

describe('a monthly move', () => {
  const monthly = (id: string, amountMinor: number, dayOfMonth: number) =>
    put(ann, `/goals/${id}/monthly`, { amountMinor, asset: 'USD', dayOfMonth })
  const run = () => Promise.all([sweepOrdersJob.run(server.deps, {}), sweepOrdersJob.run(server.deps, {})])

  test('is made once on its date, or on the last day of a shorter month, and for each missed month', async () => {
    const id = await annsGoal()
    expect((await monthly(id, 10_00, 31)).status).toBe(204)
    expect((await annsOnly()).monthly).toEqual({ amountMinor: 10_00, dayOfMonth: 31, nextOn: '2026-08-31' })
    clock.set(new Date('2026-08-30T23:59:59Z'))
    await run()
    expect(await readBalances()).toEqual([100_00, 0])
    clock.set(new Date('2026-08-31T00:00:00Z'))
    expect(await overdueOrdersOf(monthlyMoves).overdueSince(server.deps)).toEqual(new Date('2026-08-31T01:00:00Z'))
    await run()
    await run()
    expect(await overdueOrdersOf(monthlyMoves).overdueSince(server.deps)).toBe(null)
    expect(await readBalances()).toEqual([90_00, 10_00])
    expect((await annsOnly()).monthly?.nextOn).toBe('2026-09-30')
    clock.set(new Date('2027-02-28T12:00:00Z'))
    await run()
    expect(await readBalances()).toEqual([30_00, 70_00])
    expect((await annsOnly()).monthly?.nextOn).toBe('2027-03-31')
  })

  test('is skipped with a notice without enough money, and is made the next month', async () => {
    const id = await annsGoal(95_00)
    await monthly(id, 10_00, 1)
    clock.set(new Date('2026-09-01T09:00:00Z'))
    await run()
    await ann.fund(100_00)
    await run()
    expect(await readBalances()).toEqual([105_00, 95_00])
    const params = { amountMinor: 10_00, asset: 'USD', name: 'Sea' }
    expect(await noticesOf(ann)).toEqual([{ kind: 'goal_move_skipped', params }])
    clock.set(new Date('2026-10-01T09:00:00Z'))
    await run()
    expect(await readBalances()).toEqual([95_00, 105_00])
  })

  test('of an older version, whose server then stopped, is not made again', async () => {
    const id = await annsGoal()
    await monthly(id, 10_00, 1)
    clock.set(new Date('2026-09-01T09:00:00Z'))
    const { rows } = await server.deps.pool.query('SELECT account_id FROM bank.goal WHERE id = $1', [id])
    const moved = goalMoveOperation({
      ...derivedIdentity('savings', id, 'monthly:2026-09-01'),
      fingerprint: fingerprintOf('savings.monthly', id, '2026-09-01'),
      current: ann.customer.currentAccountId,
      goal: { accountId: rows[0].account_id, name: 'Sea' },
      label: 'savings.monthly',
      amountMinor: 10_00,
      bookedAt: clock.businessNow(),
    })
    await bookAsBefore(server.deps.pool, moved)
    await run()
    expect(await readBalances()).toEqual([90_00, 10_00])
    expect((await annsOnly()).monthly?.nextOn).toBe('2026-10-01')
  })

  test('can be stopped', async () => {
    const id = await annsGoal()
    await monthly(id, 10_00, 1)
    expect((await ann.browser.send('DELETE', `/api/v1/goals/${id}/monthly`)).status).toBe(204)
    clock.set(new Date('2026-10-02T09:00:00Z'))
    await run()
    expect(await readBalances()).toEqual([100_00, 0])
  })
})

describe('closing a goal', () => {
  test('pays its interest up to yesterday and returns all its money, once', async () => {
    const id = await annsGoal(100_00)
    clock.set(new Date('2026-09-30T09:41:00Z'))
    // The interest covers 33 days at 4%. The interest of the four days in August was due on the first, and earned interest
    // itself.
    const key = randomUUID()
    const answers = await Promise.all([closing(ann, id, key), closing(ann, id, key)])
    for (const answer of answers) expect(await answer.json()).toEqual({ returnedMinor: 100_36, asset: 'USD' })
    expect(await ann.balanceMinor()).toBe(100_36)
    expect((await list(ann)).goals).toEqual([])
    expect((await ann.dashboard()).goal).toBe(null)
    await expectRefusal(await closing(ann, id), 'not_found')
    await expectRefusal(await move(ann, id, 'deposits', 1), 'not_found')
    const before = await entriesOf(ann)
    clock.set(new Date('2026-11-02T09:41:00Z'))
    await runIfDue(interestJob, server.deps)
    expect(await entriesOf(ann)).toBe(before)
  })

  test('in two simultaneous requests returns the money once', async () => {
    const id = await annsGoal(100_00)
    const answers = await Promise.all([1, 2, 3].map(() => closing(ann, id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    expect(await ann.balanceMinor()).toBe(100_00)
  })

  test('while money moves in loses no money', async () => {
    const id = await annsGoal(20_00)
    const adding = Array.from({ length: 12 }, () => move(ann, id, 'deposits', 5_00))
    const [closed, ...added] = await Promise.all([closing(ann, id), ...adding])
    expect(closed?.status).toBe(200)
    for (const { status } of added) expect([200, 404, 422]).toContain(status)
    expect(await ann.balanceMinor()).toBe(100_00)
  })

  test('without money moves nothing', async () => {
    const id = await annsGoal()
    const before = await auditTestBooks(server)
    expect(await (await closing(ann, id)).json()).toEqual({ returnedMinor: 0, asset: 'USD' })
    expect(await auditTestBooks(server)).toEqual(before)
  })
})

test('the screen gets the rate, this year’s interest and the accrued interest', async () => {
  await annsGoal(100_00)
  clock.set(new Date('2026-12-15T09:41:00Z'))
  await runIfDue(interestJob, server.deps)
  expect(await list(ann)).toMatchObject({
    interestRateBps: 4_00,
    interestPaidOn: '2027-01-01',
    today: '2026-12-15',
    goals: [{ interest: { paidThisYearMinor: 1_04, accruedMinor: 15 } }],
  })
  clock.set(new Date('2027-01-02T09:41:00Z'))
  await runIfDue(interestJob, server.deps)
  expect((await annsOnly()).interest).toEqual({ paidThisYearMinor: 34, accruedMinor: 1 })
})

test('a customer with round-ups and monthly moves can close after interest is paid', async () => {
  const id = await annsGoal(100_00)
  await put(ann, '/round-ups', { goalId: id, times: 2 })
  await put(ann, `/goals/${id}/monthly`, { amountMinor: 1_00, asset: 'USD', dayOfMonth: 1 })
  clock.set(new Date('2026-08-31T09:41:00Z'))
  await runIfDue(interestJob, server.deps)
  await move(ann, id, 'withdrawals', 100_00)
  const bob = await server.person({ fullName: 'Bob May', email: `bob.${randomUUID()}@example.com` })
  const sendAll = async () => {
    const content = { recipient: bob.customer.email, amountMinor: await ann.balanceMinor(), asset: 'USD' }
    expect((await ann.browser.post('/api/v1/transfers', content)).status).toBe(200)
  }
  const close = () => ann.browser.post('/api/v1/profile/closure', {})
  await sendAll()
  await expectRefusal(await close(), 'balance_not_zero')
  await closing(ann, id)
  await make(ann, { name: 'Empty' })
  const [empty] = (await list(ann)).goals
  await put(ann, '/round-ups', { goalId: empty?.id, times: 2 })
  await put(ann, `/goals/${empty?.id}/monthly`, { amountMinor: 1_00, asset: 'USD', dayOfMonth: 1 })
  await sendAll()
  expect((await close()).status).toBe(204)
  const before = await entriesOf(ann)
  clock.set(new Date('2026-10-02T09:41:00Z'))
  await sweepOrdersJob.run(server.deps, {})
  await runIfDue(interestJob, server.deps)
  expect(await entriesOf(ann)).toBe(before)
  expect(await noticesOf(ann)).toEqual([])
})

test('a customer who has closed before their goal request is processed gets no goal', async () => {
  const { id } = (await server.person({ fullName: 'Cleo Lee', email: `cleo.${randomUUID()}@example.com` })).customer
  await server.deps.pool.query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [id])
  await expect(createGoals(server.deps, id, [{ name: 'Late', icon: 'car', targetMinor: 1 }])).rejects.toMatchObject({
    code: 'sign_in_required',
  })
})
