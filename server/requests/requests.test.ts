import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import type { LinkedRequest, MoneyRequest, RequestDetail, RequestList } from '#contract/requests.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { testClock } from '#server/test/bank.ts'
import { mailsTo } from '#server/test/mails.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { reportedRequests } from '#server/requests/blocks.ts'
import { createRequestsWithin } from '#server/requests/create-request.ts'
import { expireRequestsJob } from '#server/requests/end-request.ts'
import { requestToken } from '#server/requests/link.ts'
import { requestsByIds } from '#server/requests/request.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const DAY_MS = 86_400_000
const START = new Date('2026-08-28T09:41:00.000Z')
// Sessions expire by real time, which stands still here while business days pass.
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson
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
  round += 1
  ann = await server.person({
    fullName: 'Ann Lee',
    email: `ann${round}@example.com`,
    phone: `+4477009${String(10_000 + round)}`,
  })
  ben = await server.person({ fullName: 'Ben May', email: `ben${round}@example.com` })
  await ben.fund(100_00)
})

const statuses = (answers: Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const advanceDays = (days: number) => clock.set(new Date(START.getTime() + days * DAY_MS))
const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })

const ask = (requester: TestPerson, body: object, key: string = randomUUID()) =>
  requester.browser.post('/api/v1/money-requests', body, { key })

async function requestMoney(
  requester: TestPerson,
  payer: TestPerson | string | null,
  amountMinor: number,
  note?: string,
) {
  const recipient = payer === null || typeof payer === 'string' ? payer : payer.customer.email
  const body = { ...(recipient && { recipient }), ...usd(amountMinor), ...(note && { note }) }
  const answer = await ask(requester, body)
  expect(answer.status).toBe(200)
  await doJobs(server, 'requests.tell_payer')
  return ((await answer.json()) as { request: MoneyRequest }).request
}

const act = (person: TestPerson, id: string, action: 'decline' | 'cancel' | 'reminders', key: string = randomUUID()) =>
  person.browser.post(`/api/v1/money-requests/${id}/${action}`, undefined, { key })
const pay = (person: TestPerson, id: string, amountMinor: number, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/money-requests/${id}/payments`, usd(amountMinor), { key })
const block = (person: TestPerson, id: string, report = false) =>
  person.browser.post(`/api/v1/money-requests/${id}/block`, { report }, { key: randomUUID() })

async function readAs<Body>(person: TestPerson, path: string): Promise<Body> {
  const answer = await person.browser.get(`/api/v1${path}`)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}
const list = (person: TestPerson) => readAs<RequestList>(person, '/money-requests')
const detail = (person: TestPerson, id: string) => readAs<RequestDetail>(person, `/money-requests/${id}`)
const history = async (person: TestPerson, id: string) => (await detail(person, id)).history.map(({ kind }) => kind)

async function notifiedOf(person: TestPerson): Promise<{ kind: string; params: Record<string, unknown> }[]> {
  await doJobs(server, 'requests.tell_payer')
  const { rows } = await server.deps.pool.query(
    'SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id',
    [person.customer.id],
  )
  return rows
}
const kinds = async (person: TestPerson) => (await notifiedOf(person)).map(({ kind }) => kind)

describe('requesting money from a person', () => {
  test('shows the request to both, and moves nothing', async () => {
    const before = await auditTestBooks(server)
    const request = await requestMoney(ann, ben, 25_50, 'Dinner')
    expect(request).toEqual({
      id: expect.any(String),
      side: 'requester',
      name: ben.customer.email,
      amountMinor: 25_50,
      paidMinor: 0,
      asset: 'USD',
      note: 'Dinner',
      status: 'open',
      createdAt: START.toISOString(),
      expiresAt: '2026-09-11T09:41:00.000Z',
      closedAt: null,
      remindableAt: START.toISOString(),
      fromStranger: false,
      url: null,
    })
    const { received, sent } = await list(ben)
    expect(sent).toEqual([])
    expect(received).toMatchObject([
      { id: request.id, side: 'payer', name: 'Ann Lee', amountMinor: 25_50, note: 'Dinner' },
    ])
    expect(await notifiedOf(ben)).toMatchObject([
      { kind: 'request_from_stranger', params: { name: 'Ann Lee', amountMinor: 25_50, requestId: request.id } },
    ])
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('happens once per key', async () => {
    const key = randomUUID()
    const body = { recipient: ben.customer.email, ...usd(5_00) }
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await (await ask(ann, body, key)).json()) as { request: MoneyRequest }),
    )
    expect(new Set(answers.map(({ request }) => request.id)).size).toBe(1)
    expect((await list(ben)).received).toHaveLength(1)
    await expectRefusal(await ask(ann, { ...body, ...usd(6_00) }, key), 'idempotency_key_reused')
  })

  test.each([
    ['an invalid recipient', (): string => 'somebody', 'recipient_invalid', 'recipient'],
    ['oneself by email', (): string => ann.customer.email.toUpperCase(), 'request_to_self', 'recipient'],
    ['oneself by phone', (): string => `0${(ann.customer.phone ?? '').slice(3)}`, 'request_to_self', 'recipient'],
  ] as const)('is refused for %s', async (_, recipient, code, field) => {
    await expectRefusal(await ask(ann, { recipient: recipient(), ...usd(1_00) }), code, field)
    expect(await list(ann)).toMatchObject({ received: [], sent: [] })
  })

  test.each([
    ['nothing', 0, 'amount_invalid'],
    ['less than zero', -1, 'amount_invalid'],
    ['half a cent', 0.5, 'amount_invalid'],
    ['more than the maximum payment', 1_000_000_01, 'amount_too_large'],
  ] as const)('is refused for an amount of %s', async (_, amountMinor, code) => {
    await expectRefusal(await ask(ann, { recipient: ben.customer.email, ...usd(amountMinor) }), code, 'amountMinor')
    expect(await list(ann)).toMatchObject({ received: [], sent: [] })
  })

  test('does not reveal whether the person is a customer, if the requester has sent them money before', async () => {
    await ann.fund(10_00)
    const unknownAddress = `nobody${round}@example.com`
    for (const recipient of [ben.customer.email, unknownAddress])
      await ann.browser.post('/api/v1/transfers', { recipient, ...usd(1_00) })
    const [toCustomer, toNobody] = [await requestMoney(ann, ben, 1_00), await requestMoney(ann, unknownAddress, 1_00)]
    const { id: _, name: __, ...fields } = toCustomer
    expect(toNobody).toMatchObject(fields)
  })

  test('accepts a person known by a payment in either direction, or as a contact', async () => {
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await ben.browser.post('/api/v1/transfers', { recipient: ann.customer.email, ...usd(1_00) })
    await ann.browser.post('/api/v1/transfers', { recipient: eve.customer.email, ...usd(1_00) })
    const [toBen, toEve, fromEve] = [
      await requestMoney(ann, ben, 1_00),
      await requestMoney(ann, eve, 1_00),
      await requestMoney(eve, ben, 1_00),
    ]
    expect((await list(ben)).received).toMatchObject([
      { id: fromEve.id, fromStranger: true },
      { id: toBen.id, fromStranger: false },
    ])
    expect((await list(eve)).received).toMatchObject([{ id: toEve.id, fromStranger: false }])
    expect(await kinds(ben)).toEqual(['request_received', 'request_from_stranger'])
  })

  test('is limited per address and in total, also for simultaneous requests', async () => {
    const carl = await server.person({ fullName: 'Carl Fox', email: `carl${round}@example.com` })
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => ask(ann, { recipient: ben.customer.email, ...usd(1_00) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await list(ben)).received).toHaveLength(10)
    await requestMoney(ann, carl, 1_00)
    const requests = Array.from({ length: 190 }, (_, index) => ({ recipient: `n${index}@example.org`, amountMinor: 1 }))
    const creation = inTransaction(server.deps.db, (trx) =>
      createRequestsWithin(server.deps, trx, ann.customer, requests),
    )
    await expect(creation).rejects.toMatchObject({ code: 'too_many_requests' })
    expect((await list(ann)).sent).toHaveLength(11)
  })
})

describe('requesting money from an address without a customer', () => {
  const unknownAddress = () => `nobody${round}@example.org`

  test('looks the same, and sends a link that another person can pay', async () => {
    const request = await requestMoney(ann, unknownAddress(), 30_00, 'Tickets')
    const toBen = await requestMoney(ann, ben, 30_00, 'Tickets')
    expect({ ...request, id: '', name: '' }).toEqual({ ...toBen, id: '', name: '' })
    await doJobs(server, 'requests.tell_payer')
    const [mail, ...otherMails] = await mailsTo(server.deps, unknownAddress())
    expect(otherMails).toEqual([])
    expect(mail?.text).toContain('Ann Lee requested $30.00 from you')
    expect(mail?.text).not.toContain('Tickets')
    expect(await mailsTo(server.deps, ben.customer.email)).toEqual([])
    const token = /\/request\?link=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(await readAs<LinkedRequest>(ben, `/request-links/${token}`)).toMatchObject({
      requesterName: 'Ann Lee',
      note: 'Tickets',
      own: false,
    })
    const payment = await ben.browser.post(`/api/v1/request-links/${token}/payments`, usd(10_00))
    expect(payment.status).toBe(200)
    expect(await detail(ben, request.id)).toMatchObject({ request: { paidMinor: 10_00, status: 'open' } })
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await expectRefusal(await eve.browser.get(`/api/v1/request-links/${token}`), 'request_link_not_found')
  })

  test('shows it to the later customer with that address, and not before the confirmation', async () => {
    const request = await requestMoney(ann, unknownAddress(), 30_00)
    const otherOwner = await server.person({ fullName: 'Mal Lory', email: unknownAddress(), unconfirmed: ['email'] })
    expect((await list(otherOwner)).received).toEqual([])
    await expectRefusal(await otherOwner.browser.get(`/api/v1/money-requests/${request.id}`), 'not_found')
    await server.deps.pool.query('DELETE FROM bank.session WHERE customer_id = $1', [otherOwner.customer.id])
    await server.deps.pool.query(`UPDATE bank.customer SET email = 'x' || email WHERE id = $1`, [
      otherOwner.customer.id,
    ])
    const owner = await server.person({ fullName: 'Nora Body', email: unknownAddress() })
    expect((await list(owner)).received).toMatchObject([{ id: request.id }])
    expect((await act(owner, request.id, 'decline')).status).toBe(200)
    expect(await notifiedOf(ann)).toMatchObject([{ kind: 'request_declined', params: { name: unknownAddress() } }])
  })
})

describe('paying', () => {
  test('a part and then the rest moves exactly that, and both see it like any payment', async () => {
    const { id } = await requestMoney(ann, ben, 40_00, 'Rent')
    const first = ((await (await pay(ben, id, 15_00)).json()) as { transaction: Transaction }).transaction
    expect(first).toMatchObject({ name: lineNamed('Ann Lee'), amountMinor: -15_00, note: 'Rent', status: 'completed' })
    expect(await ben.transactions('?limit=1')).toEqual([first])
    expect(await ann.transactions('?limit=1')).toMatchObject([{ name: lineNamed('Ben May'), amountMinor: 15_00 }])
    expect(await detail(ann, id)).toMatchObject({ request: { status: 'open', paidMinor: 15_00 } })
    advanceDays(1)
    expect((await pay(ben, id, 25_00)).status).toBe(200)
    expect(await detail(ann, id)).toMatchObject({
      request: { status: 'paid', paidMinor: 40_00, closedAt: '2026-08-29T09:41:00.000Z' },
      history: [
        { kind: 'asked', name: null, amountMinor: null },
        { kind: 'paid', name: 'Ben May', amountMinor: 15_00 },
        { kind: 'paid', name: 'Ben May', amountMinor: 25_00, at: '2026-08-29T09:41:00.000Z' },
      ],
    })
    expect(await detail(ben, id)).toMatchObject({ request: { status: 'paid', side: 'payer' } })
    expect([await ann.balanceMinor(), await ben.balanceMinor()]).toEqual([40_00, 60_00])
    expect(await notifiedOf(ann)).toMatchObject([
      { kind: 'request_paid', params: { amountMinor: 15_00, paid: 'part', name: 'Ben May' } },
      { kind: 'request_paid', params: { amountMinor: 25_00, paid: 'all' } },
    ])
  })

  test('never exceeds the open amount with simultaneous payers', async () => {
    const { id } = await requestMoney(ann, ben, 20_00)
    await expectRefusal(await pay(ben, id, 20_01), 'request_amount_exceeded', 'amountMinor')
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(ben, id, 6_00)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const refused of answers.filter(({ status }) => status !== 200))
      await expectRefusal(refused, 'request_amount_exceeded', 'amountMinor')
    expect([await ann.balanceMinor(), await ben.balanceMinor()]).toEqual([18_00, 82_00])
    expect(await history(ben, id)).toEqual(['asked', 'paid', 'paid', 'paid'])
    await auditTestBooks(server)
  })

  test('with the same key happens once, at once and on a later day after it is paid', async () => {
    const { id } = await requestMoney(ann, ben, 20_00)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (): Promise<unknown> => (await pay(ben, id, 20_00, key)).json()),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    advanceDays(30)
    expect(await (await pay(ben, id, 20_00, key)).json()).toEqual(answers[0])
    expect(await ben.balanceMinor()).toBe(80_00)
    expect(await history(ben, id)).toEqual(['asked', 'paid'])
  })

  test('is refused without the money, and nothing is stored', async () => {
    const { id } = await requestMoney(ann, ben, 100_01)
    const before = await auditTestBooks(server)
    await expectRefusal(await pay(ben, id, 100_01), 'insufficient_funds')
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await history(ben, id)).toEqual(['asked'])
  })

  test.each(['paid', 'declined', 'cancelled', 'expired'] as const)(
    'a request that is %s is refused',
    async (status) => {
      const { id } = await requestMoney(ann, ben, 10_00)
      if (status === 'paid') await pay(ben, id, 10_00)
      if (status === 'declined') await act(ben, id, 'decline')
      if (status === 'cancelled') await act(ann, id, 'cancel')
      if (status === 'expired') advanceDays(14)
      expect((await detail(ben, id)).request.status).toBe(status)
      const before = await auditTestBooks(server)
      await expectRefusal(await pay(ben, id, 1_00), 'request_not_open')
      await expectRefusal(await act(ben, id, 'decline'), 'request_not_open')
      await expectRefusal(await act(ann, id, 'cancel'), 'request_not_open')
      await expectRefusal(await act(ann, id, 'reminders'), 'request_not_open')
      expect(await auditTestBooks(server)).toEqual(before)
      expect(await history(ben, id)).toEqual(['asked', status])
    },
  )

  test('declining and canceling at one moment have one outcome', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { id } = await requestMoney(ann, ben, 1_00)
      const answers = await Promise.all([pay(ben, id, 1_00), act(ben, id, 'decline'), act(ann, id, 'cancel')])
      expect(statuses(answers)).toEqual([200, 409, 409])
      expect(await history(ben, id)).toHaveLength(2)
    }
    const paidMinor = (await list(ann)).sent.reduce((sum, request) => sum + request.paidMinor, 0)
    expect(await ann.balanceMinor()).toBe(paidMinor)
  })

  test('is not possible for others, and neither is declining, canceling or reminding', async () => {
    const { id } = await requestMoney(ann, ben, 10_00)
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await eve.fund(50_00)
    for (const other of [id, randomUUID(), 'x']) {
      await expectRefusal(await pay(eve, other, 1_00), 'not_found')
      for (const action of ['decline', 'cancel', 'reminders'] as const)
        await expectRefusal(await act(eve, other, action), 'not_found')
      await expectRefusal(await block(eve, other), 'not_found')
    }
    // Each side may do only its own actions.
    await expectRefusal(await pay(ann, id, 1_00), 'not_found')
    await expectRefusal(await act(ann, id, 'decline'), 'not_found')
    await expectRefusal(await act(ben, id, 'cancel'), 'not_found')
    await expectRefusal(await act(ben, id, 'reminders'), 'not_found')
    expect(await history(ben, id)).toEqual(['asked'])
  })
})

describe('a link for anyone', () => {
  const tokenOf = ({ url }: MoneyRequest) => /\/request\?link=([\w-]+)$/.exec(url ?? '')?.[1] ?? ''
  const payLink = (person: TestPerson, token: string, amountMinor: number) =>
    person.browser.post(`/api/v1/request-links/${token}/payments`, usd(amountMinor))

  test('is paid by every person who has it, in parts by several, and never by its creator', async () => {
    const request = await requestMoney(ann, null, 30_00, 'Present for Jo')
    expect(request).toMatchObject({ name: null, remindableAt: null })
    const token = tokenOf(request)
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await eve.fund(50_00)
    expect((await payLink(ben, token, 10_00)).status).toBe(200)
    const answers = await Promise.all([payLink(eve, token, 20_00), payLink(ben, token, 20_00)])
    expect(statuses(answers)).toEqual([200, 409])
    expect(await readAs<LinkedRequest>(eve, `/request-links/${token}`)).toMatchObject({
      status: 'paid',
      paidMinor: 30_00,
    })
    expect(await ann.balanceMinor()).toBe(30_00)
    await expectRefusal(await payLink(ann, tokenOf(await requestMoney(ann, null, 1_00)), 1_00), 'request_is_own')
  })

  test('cannot be guessed, and reveals nothing else', async () => {
    const [openRequest, toBen] = [await requestMoney(ann, null, 30_00), await requestMoney(ann, ben, 30_00)]
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    const tokens = [
      'x',
      openRequest.id,
      `${tokenOf(openRequest).slice(0, -1)}A`.replace(/AA$/, 'BA'),
      requestToken({ secret: 'another' }, openRequest.id),
      // The link of a request to another customer works for that customer only.
      requestToken(server.deps.config, toBen.id),
    ]
    for (const token of tokens) {
      await expectRefusal(await eve.browser.get(`/api/v1/request-links/${token}`), 'request_link_not_found')
      await expectRefusal(await payLink(eve, token, 1_00), 'request_link_not_found')
    }
    await expectRefusal(await act(ann, openRequest.id, 'reminders'), 'not_found')
  })
})

describe('reminding', () => {
  test('happens once a day, and once per key', async () => {
    const { id } = await requestMoney(ann, ben, 10_00)
    const key = randomUUID()
    const answers = await Promise.all([act(ann, id, 'reminders', key), act(ann, id, 'reminders', key)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await expectRefusal(await act(ann, id, 'reminders'), 'reminded_today')
    advanceDays(0.9)
    await expectRefusal(await act(ann, id, 'reminders'), 'reminded_today')
    advanceDays(1)
    const parallelAnswers = await Promise.all([act(ann, id, 'reminders'), act(ann, id, 'reminders')])
    expect(statuses(parallelAnswers)).toEqual([200, 409])
    expect(await kinds(ben)).toEqual(['request_from_stranger', 'request_reminder', 'request_reminder'])
    expect(await history(ann, id)).toEqual(['asked', 'reminded', 'reminded'])
  })
})

test('a person’s reminders to another are limited to ten requests a day', async () => {
  const { id } = await requestMoney(ann, ben, 1_00)
  const before = await server.deps.db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // The requests are dated on other days, because one person may receive only ten a day.
  const ids = Array.from({ length: 12 }, () => randomUUID())
  await server.deps.db
    .insertInto('bank.money_request')
    .values(ids.map((requestId) => ({ ...before, id: requestId })))
    .execute()
  const answers = await Promise.all(ids.map((requestId) => act(ann, requestId, 'reminders')))
  expect(statuses(answers)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect((await kinds(ben)).filter((kind) => kind === 'request_reminder')).toHaveLength(10)
})

describe('declining and expiry', () => {
  test('declining moves no money, and keeps paid parts', async () => {
    const { id } = await requestMoney(ann, ben, 10_00)
    await pay(ben, id, 4_00)
    const before = await auditTestBooks(server)
    const key = randomUUID()
    for (let time = 0; time < 2; time += 1)
      expect(await (await act(ben, id, 'decline', key)).json()).toMatchObject({ request: { status: 'declined' } })
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await ann.balanceMinor()).toBe(4_00)
    expect(await kinds(ann)).toEqual(['request_paid', 'request_declined'])
  })

  test('the job ends unpaid requests, once, and notifies the requester', async () => {
    const { id } = await requestMoney(ann, ben, 10_00)
    const otherRequests = await Promise.all([requestMoney(ann, ben, 1_00), requestMoney(ann, null, 2_00)])
    advanceDays(13.9)
    await runIfDue(expireRequestsJob, server.deps)
    expect((await detail(ann, id)).request.status).toBe('open')
    advanceDays(14)
    expect(await history(ann, id)).toEqual(['asked', 'expired'])
    const before = await auditTestBooks(server)
    await Promise.all([runIfDue(expireRequestsJob, server.deps), runIfDue(expireRequestsJob, server.deps)])
    await runIfDue(expireRequestsJob, server.deps)
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await history(ann, id)).toEqual(['asked', 'expired'])
    expect(await kinds(ann)).toEqual(['request_expired', 'request_expired', 'request_expired'])
    const states = await requestsByIds(server.deps, [id, ...otherRequests.map((other) => other.id), randomUUID()])
    expect([...states.values()].map(({ status }) => status)).toEqual(['expired', 'expired', 'expired'])
  })
})

describe('blocking', () => {
  test('hides present and later requests, sends no notice, and looks the same for the requester', async () => {
    const first = await requestMoney(ann, ben, 10_00)
    expect((await block(ben, first.id, true)).status).toBe(200)
    const second = await requestMoney(ann, ben, 10_00)
    expect({ ...second, id: first.id }).toEqual(first)
    expect((await act(ann, second.id, 'reminders')).status).toBe(200)
    expect(await list(ben)).toMatchObject({ received: [], sent: [] })
    for (const { id } of [first, second]) {
      await expectRefusal(await pay(ben, id, 1_00), 'not_found')
      await expectRefusal(await ben.browser.get(`/api/v1/money-requests/${id}`), 'not_found')
    }
    expect(await kinds(ben)).toEqual(['request_from_stranger'])
    expect((await list(ann)).sent.map(({ status }) => status)).toEqual(['open', 'open'])
    const { rows } = await server.deps.pool.query('SELECT reporter_id FROM bank.request_report WHERE request_id = $1', [
      first.id,
    ])
    expect(rows).toEqual([{ reporter_id: ben.customer.id }])
    const [reported] = await reportedRequests(server.deps, 1)
    expect(reported).toMatchObject({ requesterId: ann.customer.id, requesterName: 'Ann Lee', reporters: 1 })
  })

  test('is undone only by the customer who did it, and earlier requests stay hidden', async () => {
    const before = await requestMoney(ann, ben, 10_00)
    await block(ben, before.id)
    await requestMoney(ann, ben, 11_00)
    const { blocked } = await list(ben)
    expect(blocked).toMatchObject([{ name: 'Ann Lee' }])
    const path = `/api/v1/request-blocks/${blocked[0]?.id}`
    await expectRefusal(await ann.browser.delete(path), 'not_found')
    expect(await (await ben.browser.delete(path)).json()).toEqual({ blocked: [] })
    await expectRefusal(await ben.browser.delete(path), 'not_found')
    await requestMoney(ann, ben, 12_00)
    expect((await list(ben)).received.map(({ amountMinor }) => amountMinor)).toEqual([12_00, 10_00])
  })
})

test('many requests are made in one transaction, and none if one of them is invalid', async () => {
  const requests = [
    { recipient: ben.customer.email, amountMinor: 10_00, note: 'Pizza' },
    { recipient: `other${round}@example.org`, amountMinor: 10_01 },
    { recipient: null, amountMinor: 5_00 },
  ]
  const askAll = (more: { recipient: string; amountMinor: number }[] = []) =>
    inTransaction(server.deps.db, (trx) => createRequestsWithin(server.deps, trx, ann.customer, [...requests, ...more]))
  await expect(askAll([{ recipient: ann.customer.email, amountMinor: 1 }])).rejects.toMatchObject({
    code: 'request_to_self',
  })
  expect((await list(ann)).sent).toEqual([])
  expect(await kinds(ben)).toEqual([])
  const ids = await askAll()
  await pay(ben, ids[0] ?? '', 3_00)
  const states = await requestsByIds(server.deps, ids)
  expect(ids.map((id) => states.get(id))).toMatchObject([
    { status: 'open', amountMinor: 10_00, paidMinor: 3_00, payerName: ben.customer.email },
    { status: 'open', amountMinor: 10_01, paidMinor: 0 },
    { status: 'open', amountMinor: 5_00, payerName: null },
  ])
})

test('closing cancels the customer’s requests, and the download has both sides', async () => {
  const { id } = await requestMoney(ann, ben, 10_00, 'Book')
  const exportText = await (await ben.browser.get('/api/v1/profile/export')).text()
  expect(exportText).toContain('Book')
  await closeCustomer(server.deps, ann.customer, {
    device: { browser: 'Test browser', system: null },
    networkZone: 'internet',
  })
  await expectRefusal(await pay(ben, id, 1_00), 'request_not_open')
  expect(await history(ben, id)).toEqual(['asked', 'cancelled'])
})
