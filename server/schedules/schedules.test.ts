import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dashboard } from '#contract/accounts.ts'
import type { Schedule, ScheduleChange, ScheduleEnd } from '#contract/schedules.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { runOn } from '#server/platform/db/run.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { scheduledPayments } from '#server/schedules/schedule.ts'
import { sweepOrdersJob } from '#server/standing-orders/running.ts'
import { testClock, testDeps } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'
import { giveSecondFactor } from '#server/test/second-factor.ts'

/** A Friday. */
const START = new Date('2026-08-28T09:41:00.000Z')
const NEVER: ScheduleEnd = { kind: 'never' }

// Real time stands still, so that sessions do not expire while business days pass.
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let alice: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

beforeEach(async () => {
  clock.set(START)
  // Orders from the previous test must not affect this one.
  await runOn(server.deps.pool)(`UPDATE bank.standing_order SET status = 'cancelled' WHERE status = 'active'`)
  round += 1
  alice = await server.person({ fullName: 'Alice Adams', email: `alice${round}@example.com` })
  bob = await server.person({ fullName: 'Bob Brown', email: `bob${round}@example.com` })
})

const body = (changes: object = {}) => ({
  recipient: bob.customer.email,
  amountMinor: 10_00,
  asset: 'USD',
  every: 'month',
  startsOn: '2026-08-31',
  end: NEVER,
  ...changes,
})

const post = (person: TestPerson, path: string, content?: unknown, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/schedules${path}`, content, { key })

async function answered(answer: Response): Promise<Schedule> {
  expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
  return ((await answer.json()) as { schedule: Schedule }).schedule
}

const scheduled = async (changes: object = {}) => answered(await post(alice, '', body(changes)))

async function active(person = alice): Promise<Schedule[]> {
  return ((await (await person.browser.get('/api/v1/schedules')).json()) as { schedules: Schedule[] }).schedules
}

/** Moves the bank to a later day and carries out the due payments. */
async function onDay(day: string, hour = '10:00'): Promise<void> {
  clock.set(new Date(`${day}T${hour}:00Z`))
  await sweepOrdersJob.run(server.deps, {})
}

async function noticesOf(person: TestPerson): Promise<string[]> {
  const { rows } = await runOn(server.deps.pool)(
    `SELECT kind, params ->> 'reason' AS reason FROM bank.notification
      WHERE customer_id = $1 AND kind LIKE 'scheduled%' ORDER BY created_at, id`,
    [person.customer.id],
  )
  return rows.map(({ kind, reason }) => (kind === 'scheduled_sent' ? kind : `${String(kind)}: ${String(reason)}`))
}

const statusOf = async ({ id }: Schedule): Promise<string> =>
  (await runOn(server.deps.pool)('SELECT status FROM bank.standing_order WHERE id = $1', [id])).rows[0]?.[
    'status'
  ] as string

describe('on its dates', () => {
  test('a payment is made once, is named on both sides, and is complete', async () => {
    await alice.fund(100_00)
    const schedule = await scheduled({ every: 'once', startsOn: '2026-09-01', note: 'Rent' })
    expect(schedule).toMatchObject({ name: bob.customer.email, nextOn: '2026-09-01', dueOn: '2026-09-01', version: 1 })
    await onDay('2026-08-31')
    await onDay('2026-09-01', '05:59')
    expect(await bob.balanceMinor()).toBe(0)
    await onDay('2026-09-01', '06:00')
    await onDay('2026-09-01')
    await onDay('2026-10-01')
    const [senderLine] = await alice.transactions()
    const [recipientLine] = await bob.transactions()
    const name = lineNamed(bob.customer.email)
    expect(senderLine).toMatchObject({
      name,
      amountMinor: -10_00,
      category: 'transfer',
      status: 'completed',
      note: 'Rent',
    })
    expect(recipientLine).toMatchObject({ name: lineNamed('Alice Adams'), amountMinor: 10_00, note: 'Rent' })
    expect(await bob.balanceMinor()).toBe(10_00)
    expect(await noticesOf(alice)).toEqual(['scheduled_sent'])
    expect(await active()).toEqual([])
    expect(await statusOf(schedule)).toBe('finished')
  })

  test('a payment is made by its own job when it is due', async () => {
    await alice.fund(100_00)
    await scheduled()
    clock.set(new Date('2026-08-31T06:00:00Z'))
    await doJobs(server, 'standing_orders.run')
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('many servers at the same moment pay each date once', async () => {
    await alice.fund(1_000_00)
    await scheduled({ every: 'week', startsOn: '2026-08-31', end: { kind: 'after', times: 9 } })
    const beside = await testDeps({ clock, beside: { database: server.database } })
    clock.set(new Date('2027-01-04T10:00:00Z'))
    const runs = [server.deps, beside.deps].flatMap((deps) =>
      Array.from({ length: 4 }, () => sweepOrdersJob.run(deps, {})),
    )
    await Promise.all(runs)
    await sweepOrdersJob.run(server.deps, {})
    await beside.close()
    expect(await bob.balanceMinor()).toBe(90_00)
    expect(await noticesOf(alice)).toEqual(Array.from({ length: 9 }, () => 'scheduled_sent'))
    expect(await active()).toEqual([])
  })

  test('a schedule ends on a date, inclusive, or after a number of payments', async () => {
    await alice.fund(1_000_00)
    await scheduled({ every: 'week', startsOn: '2026-09-01', end: { kind: 'on', on: '2026-09-15' }, amountMinor: 1 })
    await scheduled({ every: 'week', startsOn: '2026-09-01', end: { kind: 'after', times: 2 }, amountMinor: 100 })
    await onDay('2026-12-01')
    expect(await bob.balanceMinor()).toBe(3 + 200)
    expect(await active()).toEqual([])
  })

  test('for a person who is not a customer, the money is held, with a link', async () => {
    await alice.fund(100_00)
    await scheduled({ recipient: `Friend${round}@elsewhere.example` })
    await onDay('2026-08-31')
    const [pendingTransfer] = await alice.transactions()
    expect(pendingTransfer).toMatchObject({ status: 'pending', amountMinor: -10_00 })
    expect((await alice.dashboard()).account.heldMinor).toBe(10_00)
    expect(await noticesOf(alice)).toEqual(['scheduled_sent'])
    await onDay('2026-08-31')
    expect((await alice.dashboard()).account.heldMinor).toBe(10_00)
  })

  test('for a recipient who has closed, the money is also held', async () => {
    await alice.fund(100_00)
    await scheduled()
    expect((await bob.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
    await onDay('2026-08-31')
    expect((await alice.transactions())[0]).toMatchObject({ status: 'pending' })
  })

  test('a contact has the customer’s own name for them', async () => {
    await alice.fund(100_00)
    const transfer = { recipient: bob.customer.email.toUpperCase(), amountMinor: 1, asset: 'USD' }
    await alice.browser.post('/api/v1/transfers', transfer, { key: randomUUID() })
    await alice.browser.get('/api/v1/contacts')
    expect((await scheduled()).name).toBe(bob.customer.email.toUpperCase())
  })
})

describe('without enough money', () => {
  test('a payment is retried on the next two business days, then skipped, with two notices', async () => {
    await alice.fund(9_99)
    await scheduled({ startsOn: '2026-09-03' })
    await onDay('2026-09-03')
    expect(await active()).toMatchObject([{ nextOn: '2026-09-03', dueOn: '2026-09-04', retrying: true }])
    await onDay('2026-09-04')
    // The next days are a weekend and Labor Day.
    expect(await active()).toMatchObject([{ nextOn: '2026-09-03', dueOn: '2026-09-08', retrying: true }])
    expect(await noticesOf(alice)).toEqual(['scheduled_delayed: funds'])
    await onDay('2026-09-08')
    expect(await active()).toMatchObject([{ nextOn: '2026-10-03', dueOn: '2026-10-05', retrying: false }])
    expect(await noticesOf(alice)).toEqual(['scheduled_delayed: funds', 'scheduled_skipped: funds'])
    expect(await alice.balanceMinor()).toBe(9_99)
  })

  test('a payment is made when money arrives, and its next date stays', async () => {
    await scheduled({ startsOn: '2026-09-01' })
    await onDay('2026-09-01')
    await alice.fund(10_00)
    await onDay('2026-09-01')
    expect(await bob.balanceMinor()).toBe(0)
    await onDay('2026-09-02')
    expect(await bob.balanceMinor()).toBe(10_00)
    expect(await active()).toMatchObject([{ nextOn: '2026-10-01', retrying: false }])
    expect(await noticesOf(alice)).toEqual(['scheduled_delayed: funds', 'scheduled_sent'])
  })

  test('a payment to a person who is not a customer is also made when money arrives', async () => {
    await scheduled({ recipient: `nobody${round}@example.com`, startsOn: '2026-09-01' })
    await onDay('2026-09-01')
    await alice.fund(10_00)
    await onDay('2026-09-01')
    expect((await alice.dashboard()).account.availableMinor).toBe(10_00)
    await onDay('2026-09-02')
    expect((await alice.dashboard()).account.availableMinor).toBe(0)
    expect(await active()).toMatchObject([{ nextOn: '2026-10-01', retrying: false }])
    expect(await noticesOf(alice)).toEqual(['scheduled_delayed: funds', 'scheduled_sent'])
  })

  test('of many payments on one date as many are made as the money allows, without an overdraft', async () => {
    await alice.fund(25_00)
    await scheduled({ every: 'week', startsOn: '2026-09-01', end: { kind: 'after', times: 5 } })
    await onDay('2027-01-04')
    expect(await alice.balanceMinor()).toBe(5_00)
    expect(await bob.balanceMinor()).toBe(20_00)
    expect(await noticesOf(alice)).toEqual([
      'scheduled_sent',
      'scheduled_sent',
      ...Array.from({ length: 3 }, () => 'scheduled_skipped: funds'),
    ])
  })

  test('a payment to oneself fails with another reason', async () => {
    await alice.fund(100_00)
    const address = `alias${round}@example.com`
    await scheduled({ recipient: address })
    await runOn(server.deps.pool)('UPDATE bank.customer SET email = $1 WHERE id = $2', [address, alice.customer.id])
    await onDay('2026-08-31')
    expect(await noticesOf(alice)).toEqual(['scheduled_delayed: other'])
    expect(await alice.balanceMinor()).toBe(100_00)
  })

  test('a missed payment is listed as late', async () => {
    await scheduled()
    clock.set(new Date('2026-08-31T06:14:00Z'))
    expect(await lateParts(server.deps)).not.toContain(scheduledPayments.overdue.name)
    clock.set(new Date('2026-08-31T06:16:00Z'))
    expect(await lateParts(server.deps)).toContain(scheduledPayments.overdue.name)
    await sweepOrdersJob.run(server.deps, {})
    expect(await lateParts(server.deps)).not.toContain(scheduledPayments.overdue.name)
  })
})

describe('changing a schedule', () => {
  const changeOf = (schedule: Schedule, changes: Partial<ScheduleChange> = {}): ScheduleChange => ({
    version: schedule.version,
    amountMinor: schedule.amountMinor,
    note: schedule.note,
    nextOn: schedule.nextOn,
    end: schedule.end,
    ...changes,
  })

  test('the amount, note, next date and end apply from the next payment on', async () => {
    await alice.fund(100_00)
    const schedule = await scheduled({ note: 'Rent' })
    const end: ScheduleEnd = { kind: 'after', times: 2 }
    const changes = changeOf(schedule, { amountMinor: 12_00, note: null, nextOn: '2026-09-15', end })
    const key = randomUUID()
    const changed = await answered(await post(alice, `/${schedule.id}/changes`, changes, key))
    expect(changed).toMatchObject({ amountMinor: 12_00, note: null, nextOn: '2026-09-15', end, version: 2 })
    // A repetition of the request is not another change.
    expect(await answered(await post(alice, `/${schedule.id}/changes`, changes, key))).toEqual(changed)
    await onDay('2026-12-15')
    expect((await bob.transactions()).map(({ amountMinor }) => amountMinor)).toEqual([12_00, 12_00])
    expect(await active()).toEqual([])
  })

  test('a waiting payment is made with the new amount', async () => {
    await alice.fund(5_00)
    const schedule = await scheduled({ startsOn: '2026-09-01' })
    await onDay('2026-09-01')
    const [waiting] = await active()
    if (!waiting) throw new Error('It has ended')
    await answered(await post(alice, `/${schedule.id}/changes`, changeOf(waiting, { amountMinor: 5_00 })))
    await onDay('2026-09-02')
    expect(await bob.balanceMinor()).toBe(5_00)
  })

  test('a payment that was made today is not made again', async () => {
    await alice.fund(100_00)
    await scheduled({ startsOn: '2026-08-31', every: 'week' })
    await onDay('2026-08-31')
    const [next] = await active()
    if (!next) throw new Error('It has ended')
    const again = changeOf(next, { nextOn: '2026-08-31' })
    await expectRefusal(await post(alice, `/${next.id}/changes`, again), 'schedule_date_invalid', 'nextOn')
    await onDay('2026-08-31')
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('the next date can be skipped, once per displayed date, and counts as a payment', async () => {
    await alice.fund(100_00)
    const schedule = await scheduled({ end: { kind: 'after', times: 2 } })
    const skipped = await answered(await post(alice, `/${schedule.id}/skip`, { version: 1 }))
    expect(skipped).toMatchObject({ nextOn: '2026-09-30', end: { kind: 'after', times: 1 } })
    await expectRefusal(await post(alice, `/${schedule.id}/skip`, { version: 1 }), 'schedule_changed')
    await onDay('2026-08-31')
    expect(await bob.balanceMinor()).toBe(0)
    await onDay('2026-12-31')
    expect(await bob.balanceMinor()).toBe(10_00)
  })

  test('of a skip and the payment at the same moment, one happens', async () => {
    await alice.fund(1_000_00)
    let skips = 0
    for (let turn = 0; turn < 8; turn += 1) {
      clock.set(START)
      const schedule = await scheduled({ every: 'once' })
      clock.set(new Date('2026-08-31T10:00:00Z'))
      const [answer] = await Promise.all([
        post(alice, `/${schedule.id}/skip`, { version: 1 }),
        sweepOrdersJob.run(server.deps, {}),
      ])
      if (answer.status === 200) skips += 1
      expect(await statusOf(schedule)).toBe('finished')
    }
    expect(await bob.balanceMinor()).toBe((8 - skips) * 10_00)
    expect(await noticesOf(alice)).toHaveLength(8 - skips)
  })

  test('a canceled schedule makes no more payments and is complete', async () => {
    await alice.fund(100_00)
    const schedule = await scheduled()
    const key = randomUUID()
    expect(await answered(await post(alice, `/${schedule.id}/cancel`, undefined, key))).toMatchObject({
      status: 'cancelled',
    })
    expect((await post(alice, `/${schedule.id}/cancel`, undefined, key)).status).toBe(200)
    await onDay('2026-12-31')
    expect(await bob.balanceMinor()).toBe(0)
    await expectRefusal(await post(alice, `/${schedule.id}/cancel`), 'schedule_over')
    await expectRefusal(await post(alice, `/${schedule.id}/skip`, { version: 2 }), 'schedule_over')
    await expectRefusal(await post(alice, `/${schedule.id}/changes`, changeOf(schedule)), 'schedule_over')
  })

  test('a finished schedule makes no more payments', async () => {
    await alice.fund(100_00)
    const schedule = await scheduled({ every: 'once' })
    await onDay('2026-08-31')
    await expectRefusal(await post(alice, `/${schedule.id}/changes`, changeOf(schedule)), 'schedule_over')
    await expectRefusal(await post(alice, `/${schedule.id}/cancel`), 'schedule_over')
  })

  test('another customer’s schedule is not found', async () => {
    const schedule = await scheduled()
    await expectRefusal(await post(bob, `/${schedule.id}/changes`, changeOf(schedule)), 'not_found')
    await expectRefusal(await post(bob, `/${schedule.id}/skip`, { version: 1 }), 'not_found')
    await expectRefusal(await post(bob, `/${schedule.id}/cancel`), 'not_found')
    await expectRefusal(await post(bob, '/not-a-uuid/cancel'), 'not_found')
    expect(await active(bob)).toEqual([])
    expect(await active()).toEqual([schedule])
  })
})

describe('a refused schedule is not created:', () => {
  test.each([
    ['February 31', { startsOn: '2027-02-31' }, 'schedule_date_invalid', 'startsOn'],
    ['an invalid date', { startsOn: 'tomorrow' }, 'schedule_date_invalid', 'startsOn'],
    ['yesterday', { startsOn: '2026-08-27' }, 'schedule_date_invalid', 'startsOn'],
    ['more than two years ahead', { startsOn: '2028-08-29' }, 'schedule_date_invalid', 'startsOn'],
    ['an end before the first date', { end: { kind: 'on', on: '2026-08-30' } }, 'schedule_end_invalid', 'end'],
    ['an end on June 31', { end: { kind: 'on', on: '2027-06-31' } }, 'schedule_end_invalid', 'end.on'],
    ['zero payments', { end: { kind: 'after', times: 0 } }, 'schedule_end_invalid', 'end'],
    ['a part of a payment', { end: { kind: 'after', times: 1.5 } }, 'schedule_end_invalid', 'end.times'],
    ['too many payments', { end: { kind: 'after', times: 1000 } }, 'schedule_end_invalid', 'end'],
    ['an end for a single payment', { every: 'once', end: { kind: 'after', times: 2 } }, 'schedule_end_invalid', 'end'],
    ['another interval', { every: 'day' }, 'request_invalid', 'every'],
    ['nothing', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
    ['a negative amount', { amountMinor: -1 }, 'amount_invalid', 'amountMinor'],
    ['parts of a cent', { amountMinor: 1.5 }, 'amount_invalid', 'amountMinor'],
    ['more than the maximum payment', { amountMinor: 1_000_000_01 }, 'amount_too_large', 'amountMinor'],
    ['another asset', { asset: 'BTC' }, 'request_invalid', 'asset'],
    ['nobody', { recipient: ' ' }, 'fields_missing', 'recipient'],
    ['an empty address', { recipient: 'somebody' }, 'recipient_invalid', 'recipient'],
    ['an unknown field', { again: true }, 'request_invalid', 'again'],
  ] as const)('%s', async (_, changes, code, field) => {
    await expectRefusal(await post(alice, '', body(changes)), code, field)
    expect(await active()).toEqual([])
  })

  test('an amount that is not a whole number', async () => {
    const text = JSON.stringify(body()).replace('1000', '1e3')
    const answer = await alice.browser.send('POST', '/api/v1/schedules', text, { key: randomUUID() })
    await expectRefusal(answer, 'amount_invalid', 'amountMinor')
  })

  test('oneself', async () => {
    const self = body({ recipient: alice.customer.email.toUpperCase() })
    await expectRefusal(await post(alice, '', self), 'recipient_is_self', 'recipient')
  })

  test('the same values in a change', async () => {
    const { id, version, note } = await scheduled()
    const good = { version, note, amountMinor: 1, nextOn: '2026-09-01', end: NEVER }
    const change = (changes: object) => post(alice, `/${id}/changes`, { ...good, ...changes })
    await expectRefusal(await change({ nextOn: '2026-02-31' }), 'schedule_date_invalid', 'nextOn')
    await expectRefusal(await change({ nextOn: '2026-08-27' }), 'schedule_date_invalid', 'nextOn')
    await expectRefusal(await change({ nextOn: '2028-08-29' }), 'schedule_date_invalid', 'nextOn')
    await expectRefusal(await change({ end: { kind: 'on', on: '2026-08-31' } }), 'schedule_end_invalid', 'end')
    await expectRefusal(await change({ amountMinor: 1_000_000_01 }), 'amount_too_large', 'amountMinor')
    await expectRefusal(await change({ version: 2 }), 'schedule_changed')
    expect(await active()).toMatchObject([{ version: 1, amountMinor: 10_00 }])
  })

  test('more than the maximum per customer, with simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 55 }, () => post(alice, '', body())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    const refused = answers.find(({ status }) => status !== 200)
    if (!refused) throw new Error('All were scheduled')
    await expectRefusal(refused, 'schedules_full')
    expect(await active()).toHaveLength(50)
  })

  test('a repeated request creates one schedule, and its key nothing else', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(alice, '', body(), key)))
    const schedules = await Promise.all(answers.map(answered))
    expect(new Set(schedules.map(({ id }) => id)).size).toBe(1)
    await expectRefusal(await post(alice, '', body({ amountMinor: 5 }), key), 'idempotency_key_reused')
    expect(await active()).toHaveLength(1)
  })
})

test('a proof is valid for its amount and payee only', async () => {
  const factor = await giveSecondFactor(server, alice)
  const send = (content: object) => (headers: Record<string, string>) =>
    alice.browser.send('POST', '/api/v1/schedules', JSON.stringify(content), { key: randomUUID(), headers })
  await expectRefusal(await send(body())({}), 'step_up_required')
  let proof: Record<string, string> = {}
  const first = await factor.prove((headers) => {
    proof = headers
    return send(body())(headers)
  })
  expect(first.status).toBe(200)
  await expectRefusal(await send(body({ amountMinor: 99_00 }))(proof), 'step_up_required')
  await expectRefusal(await send(body({ recipient: 'mallory@example.com' }))(proof), 'step_up_required')
  const { schedule } = (await first.json()) as { schedule: Schedule }
  const change = { version: 1, amountMinor: 99_00, note: null, nextOn: schedule.nextOn, end: NEVER }
  await expectRefusal(await post(alice, `/${schedule.id}/changes`, change), 'step_up_required')
  expect(await active()).toEqual([schedule])
})

test('a customer who closes loses their schedules, and the download has them', async () => {
  const schedule = await scheduled({ note: 'Rent', end: { kind: 'after', times: 3 } })
  await answered(await post(alice, `/${(await scheduled()).id}/cancel`))
  const download = await (await alice.browser.get('/api/v1/profile/export')).json()
  expect(download.scheduledPayments).toMatchObject([
    { id: schedule.id, recipient: bob.customer.email, amountMinor: 10_00, note: 'Rent', nextOn: '2026-08-31' },
    { status: 'cancelled' },
  ])
  expect((await alice.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  expect(await statusOf(schedule)).toBe('cancelled')
  await onDay('2026-08-31')
  expect(await bob.balanceMinor()).toBe(0)
})

describe('upcoming payments', () => {
  const upcomingOf = async (): Promise<Dashboard['upcoming']> => (await alice.dashboard()).upcoming

  test('are empty without any schedule', async () => {
    expect(await upcomingOf()).toBeNull()
    await scheduled({ startsOn: '2026-12-01' })
    expect(await upcomingOf()).toBeNull()
  })

  test('are the next three, with the money left after those of this month', async () => {
    await alice.fund(100_00)
    clock.set(new Date('2026-09-10T10:00:00Z'))
    await scheduled({ every: 'week', startsOn: '2026-09-16', amountMinor: 20_00 })
    await scheduled({ startsOn: '2026-09-30', amountMinor: 70_00 })
    await scheduled({ every: 'once', startsOn: '2026-10-01', amountMinor: 5_00 })
    const upcoming = await upcomingOf()
    expect(upcoming?.next.map(({ dueOn, amountMinor }) => [dueOn, amountMinor])).toEqual([
      ['2026-09-16', 20_00],
      ['2026-09-23', 20_00],
      ['2026-09-30', expect.any(Number)],
    ])
    // The sum has three weekly payments and the monthly payment. October's payments do not count to this month.
    expect(upcoming).toMatchObject({ dueThisMonthMinor: 130_00, leftMinor: -30_00, asset: 'USD' })
    expect(upcoming?.next[0]).toMatchObject({ kind: 'scheduled', name: bob.customer.email })
  })
})
