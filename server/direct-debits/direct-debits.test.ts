import { addDays } from '#server/calendar/days.ts'
import { overdueDebitsJob } from '#server/direct-debits/jobs.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mandate } from '#contract/direct-debits.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { announceDebit, collectDue, notifyAnnounced, notifyDebit } from '#server/direct-debits/announcements.ts'
import { collectAnnounced, collectDebit, debitOverdueSince } from '#server/direct-debits/collections.ts'
import { activeMandates, requestMandate } from '#server/direct-debits/mandates.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const clock = { ...testClock(START), realNow: () => START }
/** This date is a Friday. */
const DUE_ON = '2026-09-04'
const DUE_AT = new Date('2026-09-04T06:00:00.000Z')

let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})

const bill = { billerName: 'Brightwater Energy', reference: 'BWE-1', category: 'bills' } as const
const announceMandate = (change: object = {}, person = ann) =>
  inTransaction(server.deps.db, (trx) => requestMandate(server.deps, trx, person.customer, { ...bill, ...change }))
const decide = (id: string, decision: string, person = ann, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/mandates/${id}/decision`, { decision }, { key })
const cancel = (id: string, person = ann) => person.browser.post(`/api/v1/mandates/${id}/cancel`)
const claimBack = (id: string, person = ann, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/direct-debits/${id}/claim-back`, undefined, { key })
const mandates = async (person = ann) =>
  ((await (await person.browser.get('/api/v1/mandates')).json()) as { mandates: Mandate[] }).mandates

async function active(change: object = {}): Promise<string> {
  const id = await announceMandate(change)
  expect((await decide(id, 'approve')).status).toBe(200)
  return id
}
const announces = (mandateId: string, amountMinor = 45_00, dueOn = DUE_ON) =>
  inTransaction(server.deps.db, async (trx) => {
    const mandate = (await activeMandates(trx, ann.customer.id)).find(({ id }) => id === mandateId)
    if (!mandate) throw new Error('It is not active')
    return announceDebit(trx, mandate, { dueOn, amountMinor })
  })
const collects = (mandateId: string, amountMinor = 45_00, dueOn = DUE_ON) =>
  collectDebit(server.deps, { mandateId, dueOn, amountMinor }).catch((error: { code: string }) => error.code)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  )

async function state() {
  const { account, unreadNotifications } = await ann.dashboard()
  return { has: account.availableMinor, spent: account.spentMinor, told: unreadNotifications }
}
async function lastNotice() {
  const { rows } = await server.deps.pool.query(
    `SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
    [ann.customer.id],
  )
  return rows[0]
}

describe('a mandate', () => {
  test('is requested once, announced, and approved by the customer once', async () => {
    const [id, again] = [await announceMandate(), await announceMandate()]
    expect(again).toBe(id)
    expect(await lastNotice()).toMatchObject({ kind: 'mandate_requested', params: { name: bill.billerName } })
    expect(await mandates()).toMatchObject([{ id, billerName: bill.billerName, status: 'requested', upcoming: [] }])
    const key = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => decide(id, 'approve', ann, key)))
    for (const answer of answers) expect((await answer.json()).mandate).toMatchObject({ id, status: 'active' })
    await expectRefusal(await decide(id, 'decline'), 'mandate_not_active')
    expect((await state()).told).toBe(1)
  })

  test('that was declined collects nothing, and only its customer can decide it', async () => {
    const id = await announceMandate()
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    for (const answer of [await decide(id, 'approve', bob), await cancel(id, bob), await cancel('x')]) {
      await expectRefusal(answer, 'not_found')
    }
    await expectRefusal(await cancel(id), 'mandate_not_active')
    expect((await decide(id, 'decline')).status).toBe(200)
    expect(await mandates()).toEqual([])
    await expectRefusal(await decide(id, 'approve'), 'mandate_not_active')
  })

  test('earns points once for each biller, for any number of approvals', async () => {
    const points = async () => {
      await doJobs(server, 'rewards.earn')
      const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
      return accounts.find(({ code }) => code === 'points')?.balanceMinor
    }
    const first = await active()
    expect(await points()).toBe(100)
    await cancel(first)
    await active({ reference: 'BWE-2' })
    expect(await points()).toBe(100)
    await active({ billerName: 'Fernline Broadband' })
    expect(await points()).toBe(200)
  })
})

test('a closed customer owes no further debit, and may download the earlier debits', async () => {
  await ann.fund(45_00)
  const mandateId = await active()
  await announces(mandateId)
  await announces(mandateId, 1_00, '2026-09-30')
  clock.set(DUE_AT)
  expect(await collects(mandateId)).toBe('collected')
  const download = await (await ann.browser.get('/api/v1/profile/export')).json()
  expect(download.mandates).toMatchObject([
    {
      billerName: bill.billerName,
      status: 'active',
      directDebits: [
        { dueOn: DUE_ON, amountMinor: 45_00, status: 'collected' },
        { dueOn: '2026-09-30', status: 'announced' },
      ],
    },
  ])
  const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
  await closeCustomer(server.deps, ann.customer, caller)
  clock.set(new Date('2026-10-01T09:00:00.000Z'))
  expect(await collects(mandateId, 1_00, '2026-09-30')).toBe('mandate_not_active')
  await overdueDebitsJob.work(server.deps)
  expect(await debitOverdueSince(server.deps)).toBeNull()
})

describe('collecting', () => {
  test('is announced three days before, and done once on its date for any number of requests', async () => {
    await ann.fund(100_00)
    const mandateId = await active()
    const debitId = await announces(mandateId)
    expect((await mandates())[0]).toMatchObject({
      upcoming: [{ id: debitId, amountMinor: 45_00, dueOn: DUE_ON, status: 'announced', claimableUntil: null }],
      past: [],
    })
    clock.set(new Date(DUE_AT.getTime() - 3 * DAY_MS))
    await doJobs(server, notifyDebit.name)
    await notifyAnnounced(server.deps, debitId)
    expect(await lastNotice()).toEqual({
      kind: 'debit_announced',
      params: { amountMinor: 45_00, asset: 'USD', name: bill.billerName, dueOn: DUE_ON },
    })
    // A job that runs early collects nothing.
    expect(await codeOf(collectAnnounced(server.deps, debitId))).toBe('debit_not_announced')
    clock.set(DUE_AT)
    const outcomes = await Promise.all([
      ...Array.from({ length: 5 }, () => collects(mandateId)),
      ...Array.from({ length: 5 }, () => collectAnnounced(server.deps, debitId)),
      doJobs(server, collectDue.name),
    ])
    expect(outcomes.filter((outcome) => outcome === 'collected').length).toBeLessThanOrEqual(5)
    expect(await state()).toEqual({ has: 55_00, spent: 45_00, told: 3 })
    expect((await ann.transactions())[0]).toMatchObject({
      name: lineNamed(bill.billerName),
      amountMinor: -45_00,
      category: 'bills',
      paymentMethod: { code: 'direct_debit' },
    })
    expect(await collects(mandateId)).toBe('debit_repeated')
    expect(await codeOf(announces(mandateId, 1_00))).toBe('debit_repeated')
    expect(await lastNotice()).toMatchObject({ kind: 'debit_collected' })
  })

  test('refuses an amount above the announcement, another date, and an amount above the mandate', async () => {
    await ann.fund(100_00)
    const mandateId = await active({ limitMinor: 50_00 })
    expect(await codeOf(announces(mandateId, 50_01))).toBe('mandate_limit_exceeded')
    await announces(mandateId, 45_00)
    clock.set(DUE_AT)
    const before = await auditTestBooks(server)
    expect(await collects(mandateId, 45_01)).toBe('debit_not_announced')
    expect(await collects(mandateId, 45_00, '2026-09-03')).toBe('debit_not_announced')
    expect(await collects(randomUUID())).toBe('debit_not_announced')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('is refused under a canceled mandate, also if it is canceled at the same moment', async () => {
    await ann.fund(100_00)
    const mandateId = await active()
    const debitId = await announces(mandateId)
    expect((await cancel(mandateId)).status).toBe(200)
    expect((await cancel(mandateId)).status).toBe(200)
    expect((await mandates())[0]).toMatchObject({ status: 'cancelled', upcoming: [], past: [{ status: 'cancelled' }] })
    clock.set(DUE_AT)
    const before = await auditTestBooks(server)
    expect(await collects(mandateId)).toBe('mandate_not_active')
    await collectAnnounced(server.deps, debitId)
    expect(await auditTestBooks(server)).toEqual(before)

    clock.set(START)
    const otherMandate = await active({ reference: 'BWE-2' })
    await announces(otherMandate)
    clock.set(DUE_AT)
    const [outcome] = await Promise.all([collects(otherMandate), cancel(otherMandate)])
    expect((await state()).has).toBe(outcome === 'collected' ? 55_00 : 100_00)
  })

  test('returns a debit without enough money unpaid, with a notice, and the next one is collected', async () => {
    await ann.fund(20_00)
    const mandateId = await active({ bill: { amountMinor: 45_00, day: 4 } })
    clock.set(DUE_AT)
    const before = await auditTestBooks(server)
    await Promise.all([collects(mandateId), collects(mandateId), collects(mandateId)])
    expect(await lastNotice()).toMatchObject({ kind: 'debit_unpaid', params: { reason: 'insufficient_funds' } })
    expect((await mandates())[0]).toMatchObject({
      upcoming: [{ dueOn: '2026-10-05', amountMinor: 45_00 }],
      past: [{ dueOn: DUE_ON, status: 'unpaid' }],
    })
    expect(await auditTestBooks(server)).toEqual(before)
    const notices = (await state()).told
    await ann.fund(100_00)
    expect(await collects(mandateId)).toBe('debit_repeated')
    expect((await state()).told).toBe(notices)
  })

  test('collects each debit when the date is moved forward by months, even if jobs were lost', async () => {
    await ann.fund(1_000_00)
    await active({ bill: { amountMinor: 45_00, day: 4 } })
    expect(await debitOverdueSince(server.deps)).toBeNull()
    clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(await debitOverdueSince(server.deps)).toEqual(DUE_AT)
    for (let month = 0; month < 4; month += 1) await overdueDebitsJob.work(server.deps)
    expect(await state()).toMatchObject({ has: 1_000_00 - 3 * 45_00 })
    expect((await mandates())[0]?.past.map(({ dueOn }) => dueOn)).toEqual(['2026-11-04', '2026-10-05', '2026-09-04'])
    expect(await debitOverdueSince(server.deps)).toBeNull()
  })
})

describe('claiming back', () => {
  async function collected(): Promise<string> {
    await ann.fund(100_00)
    const mandateId = await active()
    const debitId = await announces(mandateId)
    clock.set(DUE_AT)
    expect(await collects(mandateId)).toBe('collected')
    return debitId
  }

  test('returns the money once for any number of requests', async () => {
    const debitId = await collected()
    const key = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => claimBack(debitId, ann, key)),
      ...Array.from({ length: 4 }, () => claimBack(debitId)),
    ])
    const paidAnswers = answers.filter(({ status }) => status === 200)
    expect(paidAnswers.length === 1 || paidAnswers.length === 4).toBe(true)
    const { transaction } = JSON.parse((await paidAnswers[0]?.text()) ?? '')
    expect(transaction).toMatchObject({ name: lineNamed(bill.billerName), amountMinor: 45_00, category: 'bills' })
    expect(await state()).toMatchObject({ has: 100_00, spent: 0 })
    expect((await mandates())[0]?.past).toMatchObject([{ status: 'claimed_back', claimableUntil: null }])
    await expectRefusal(await claimBack(debitId), 'already_reversed')
  })

  test('is possible within eight weeks, to the instant, and not after nine', async () => {
    const debitId = await collected()
    const claimEnd = new Date(DUE_AT.getTime() + 56 * DAY_MS)
    expect((await mandates())[0]?.past[0]?.claimableUntil).toBe(claimEnd.toISOString())
    for (const late of [claimEnd, new Date(DUE_AT.getTime() + 63 * DAY_MS)]) {
      clock.set(late)
      await expectRefusal(await claimBack(debitId), 'claim_back_late')
    }
    clock.set(new Date(claimEnd.getTime() - 1))
    expect((await claimBack(debitId)).status).toBe(200)
    expect(await state()).toMatchObject({ has: 100_00 })
  })

  test('is offered for each weekly debit, however many others are announced', async () => {
    const mandateId = await active()
    const insertWeekly = (count: number, sign: -1 | 1, status: string) =>
      server.deps.pool.query(
        `INSERT INTO bank.direct_debit (mandate_id, customer_id, amount_minor, due_on, due_at, status, operation_id, booked_at)
         SELECT $1, $2, 100, day, day, $3, CASE $3 WHEN 'collected' THEN gen_random_uuid() END,
                CASE $3 WHEN 'collected' THEN day AT TIME ZONE 'UTC' END
           FROM generate_series(1, $4::int) AS week, LATERAL (SELECT $5::date + $6::int * week * 7 AS day) AS due`,
        [mandateId, ann.customer.id, status, count, DUE_ON, sign],
      )
    await insertWeekly(20, 1, 'announced')
    await insertWeekly(30, -1, 'collected')
    clock.set(DUE_AT)
    const [mandate] = await mandates()
    expect(mandate?.upcoming.map(({ dueOn }) => dueOn)).toHaveLength(6)
    expect(mandate?.upcoming[0]?.dueOn).toBe(addDays(DUE_ON, 7))
    // Eight weeks after their booking the customer can no longer claim them back.
    expect(mandate?.past.filter(({ claimableUntil }) => claimableUntil !== null)).toHaveLength(7)
  })

  test('of another customer’s debit, an uncollected or an unknown one is refused', async () => {
    const debitId = await collected()
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const before = await auditTestBooks(server)
    for (const [id, person] of [
      [debitId, bob],
      [randomUUID(), ann],
      ['x', ann],
    ] as const) {
      await expectRefusal(await claimBack(id, person), 'not_found')
    }
    const waitingDebit = await announces((await mandates())[0]?.id ?? '', 1_00, '2026-09-30')
    await expectRefusal(await claimBack(waitingDebit), 'claim_back_impossible')
    expect(await auditTestBooks(server)).toEqual(before)
  })
})
