import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import type { LinkedRequest, MoneyRequest, RequestDetail, RequestList } from '#contract/requests.ts'
import { lineNamed } from '#contract/wording.ts'
import { testClock } from '#server/test/bank.ts'
import { mailsTo } from '#server/test/mails.ts'
import { books, expectRefusal, type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { reportedRequests } from '#server/requests/blocks.ts'
import { createRequestsWithin } from '#server/requests/ask.ts'
import { expireRequestsJob } from '#server/requests/end.ts'
import { requestToken } from '#server/requests/link.ts'
import { requestsByIds } from '#server/requests/request.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { takeTurn } from '#server/test/in-turn.ts'

const DAY_MS = 86_400_000
const START = new Date('2026-08-28T09:41:00.000Z')
// Sessions live by the world's clock, which stands still while business days go by.
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: Person
let ben: Person
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await books(server)
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
const later = (days: number) => clock.set(new Date(START.getTime() + days * DAY_MS))
const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })

const ask = (from: Person, body: object, key: string = randomUUID()) =>
  from.browser.post('/api/v1/money-requests', body, { key })

async function asked(from: Person, to: Person | string | null, amountMinor: number, note?: string) {
  const recipient = to === null || typeof to === 'string' ? to : to.customer.email
  const body = { ...(recipient && { recipient }), ...usd(amountMinor), ...(note && { note }) }
  const answer = await ask(from, body)
  expect(answer.status).toBe(200)
  await doJobs(server, 'requests.tell_payer')
  return ((await answer.json()) as { request: MoneyRequest }).request
}

const act = (who: Person, id: string, what: 'decline' | 'cancel' | 'reminders', key: string = randomUUID()) =>
  who.browser.post(`/api/v1/money-requests/${id}/${what}`, undefined, { key })
const pay = (who: Person, id: string, amountMinor: number, key: string = randomUUID()) =>
  who.browser.post(`/api/v1/money-requests/${id}/payments`, usd(amountMinor), { key })
const block = (who: Person, id: string, report = false) =>
  who.browser.post(`/api/v1/money-requests/${id}/block`, { report }, { key: randomUUID() })

async function read<Body>(who: Person, path: string): Promise<Body> {
  const answer = await who.browser.get(`/api/v1${path}`)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}
const list = (who: Person) => read<RequestList>(who, '/money-requests')
const detail = (who: Person, id: string) => read<RequestDetail>(who, `/money-requests/${id}`)
const history = async (who: Person, id: string) => (await detail(who, id)).history.map(({ kind }) => kind)

async function told(who: Person): Promise<{ kind: string; params: Record<string, unknown> }[]> {
  await doJobs(server, 'requests.tell_payer')
  const { rows } = await server.deps.pool.query(
    'SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id',
    [who.customer.id],
  )
  return rows
}
const kinds = async (who: Person) => (await told(who)).map(({ kind }) => kind)

describe('asking somebody', () => {
  test('shows the request to both, and moves nothing', async () => {
    const before = await books(server)
    const request = await asked(ann, ben, 25_50, 'Dinner')
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
    expect(await told(ben)).toMatchObject([
      { kind: 'request_from_stranger', params: { name: 'Ann Lee', amountMinor: 25_50, requestId: request.id } },
    ])
    expect(await books(server)).toEqual(before)
  })

  test('is done once for a key', async () => {
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
    ['nobody that can be read', (): string => 'somebody', 'recipient_invalid', 'recipient'],
    ['themselves by email', (): string => ann.customer.email.toUpperCase(), 'request_to_self', 'recipient'],
    ['themselves by phone', (): string => `0${(ann.customer.phone ?? '').slice(3)}`, 'request_to_self', 'recipient'],
  ] as const)('refuses to ask %s', async (_, recipient, code, field) => {
    await expectRefusal(await ask(ann, { recipient: recipient(), ...usd(1_00) }), code, field)
    expect(await list(ann)).toMatchObject({ received: [], sent: [] })
  })

  test.each([
    ['nothing', 0, 'amount_invalid'],
    ['less than nothing', -1, 'amount_invalid'],
    ['half a cent', 0.5, 'amount_invalid'],
    ['more than anybody may pay', 1_000_000_01, 'amount_too_large'],
  ] as const)('refuses to ask for %s', async (_, amountMinor, code) => {
    await expectRefusal(await ask(ann, { recipient: ben.customer.email, ...usd(amountMinor) }), code, 'amountMinor')
    expect(await list(ann)).toMatchObject({ received: [], sent: [] })
  })

  test('does not tell whether who was asked is a customer, whom the requester has sent money before', async () => {
    await ann.fund(10_00)
    const nobody = `nobody${round}@example.com`
    for (const recipient of [ben.customer.email, nobody])
      await ann.browser.post('/api/v1/transfers', { recipient, ...usd(1_00) })
    const [toCustomer, toNobody] = [await asked(ann, ben, 1_00), await asked(ann, nobody, 1_00)]
    const { id: _, name: __, ...same } = toCustomer
    expect(toNobody).toMatchObject(same)
  })

  test('knows somebody by a payment either way, or as a contact', async () => {
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await ben.browser.post('/api/v1/transfers', { recipient: ann.customer.email, ...usd(1_00) })
    await ann.browser.post('/api/v1/transfers', { recipient: eve.customer.email, ...usd(1_00) })
    const [toBen, toEve, fromEve] = [
      await asked(ann, ben, 1_00),
      await asked(ann, eve, 1_00),
      await asked(eve, ben, 1_00),
    ]
    expect((await list(ben)).received).toMatchObject([
      { id: fromEve.id, fromStranger: true },
      { id: toBen.id, fromStranger: false },
    ])
    expect((await list(eve)).received).toMatchObject([{ id: toEve.id, fromStranger: false }])
    expect(await kinds(ben)).toEqual(['request_received', 'request_from_stranger'])
  })

  test('is limited for one address and in all, however many come at once', async () => {
    const carl = await server.person({ fullName: 'Carl Fox', email: `carl${round}@example.com` })
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => ask(ann, { recipient: ben.customer.email, ...usd(1_00) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await list(ben)).received).toHaveLength(10)
    await asked(ann, carl, 1_00)
    const asks = Array.from({ length: 190 }, (_, index) => ({ recipient: `n${index}@example.org`, amountMinor: 1 }))
    const many = inTransaction(server.deps.db, (trx) => createRequestsWithin(server.deps, trx, ann.customer, asks))
    await expect(many).rejects.toMatchObject({ code: 'too_many_requests' })
    expect((await list(ann)).sent).toHaveLength(11)
  })
})

describe('asking an address that no customer has', () => {
  const nobody = () => `nobody${round}@example.org`

  test('looks the same, and a link is mailed that somebody else can pay', async () => {
    const request = await asked(ann, nobody(), 30_00, 'Tickets')
    const toBen = await asked(ann, ben, 30_00, 'Tickets')
    expect({ ...request, id: '', name: '' }).toEqual({ ...toBen, id: '', name: '' })
    await doJobs(server, 'requests.tell_payer')
    const [mail, ...others] = await mailsTo(server.deps, nobody())
    expect(others).toEqual([])
    expect(mail?.text).toContain('Ann Lee requested $30.00 from you')
    expect(mail?.text).not.toContain('Tickets')
    expect(await mailsTo(server.deps, ben.customer.email)).toEqual([])
    const token = /\/request\?link=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(await read<LinkedRequest>(ben, `/request-links/${token}`)).toMatchObject({
      requesterName: 'Ann Lee',
      note: 'Tickets',
      own: false,
    })
    const paid = await ben.browser.post(`/api/v1/request-links/${token}/payments`, usd(10_00))
    expect(paid.status).toBe(200)
    expect(await detail(ben, request.id)).toMatchObject({ request: { paidMinor: 10_00, status: 'open' } })
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await expectRefusal(await eve.browser.get(`/api/v1/request-links/${token}`), 'request_link_not_found')
  })

  test('shows it to whoever comes with that address, and to nobody who has not confirmed it', async () => {
    const request = await asked(ann, nobody(), 30_00)
    const thief = await server.person({ fullName: 'Mal Lory', email: nobody(), unconfirmed: ['email'] })
    expect((await list(thief)).received).toEqual([])
    await expectRefusal(await thief.browser.get(`/api/v1/money-requests/${request.id}`), 'not_found')
    await server.deps.pool.query('DELETE FROM bank.session WHERE customer_id = $1', [thief.customer.id])
    await server.deps.pool.query(`UPDATE bank.customer SET email = 'x' || email WHERE id = $1`, [thief.customer.id])
    const owner = await server.person({ fullName: 'Nora Body', email: nobody() })
    expect((await list(owner)).received).toMatchObject([{ id: request.id }])
    expect((await act(owner, request.id, 'decline')).status).toBe(200)
    expect(await told(ann)).toMatchObject([{ kind: 'request_declined', params: { name: nobody() } }])
  })
})

describe('paying', () => {
  test('a part and then the rest moves just that, and both read it like any payment', async () => {
    const { id } = await asked(ann, ben, 40_00, 'Rent')
    const first = ((await (await pay(ben, id, 15_00)).json()) as { transaction: Transaction }).transaction
    expect(first).toMatchObject({ name: lineNamed('Ann Lee'), amountMinor: -15_00, note: 'Rent', status: 'completed' })
    expect(await ben.transactions('?limit=1')).toEqual([first])
    expect(await ann.transactions('?limit=1')).toMatchObject([{ name: lineNamed('Ben May'), amountMinor: 15_00 }])
    expect(await detail(ann, id)).toMatchObject({ request: { status: 'open', paidMinor: 15_00 } })
    later(1)
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
    expect(await told(ann)).toMatchObject([
      { kind: 'request_paid', params: { amountMinor: 15_00, paid: 'part', name: 'Ben May' } },
      { kind: 'request_paid', params: { amountMinor: 25_00, paid: 'all' } },
    ])
  })

  test('never more than is open, whoever pays at the same moment', async () => {
    const { id } = await asked(ann, ben, 20_00)
    await expectRefusal(await pay(ben, id, 20_01), 'request_amount_exceeded', 'amountMinor')
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(ben, id, 6_00)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const refused of answers.filter(({ status }) => status !== 200))
      await expectRefusal(refused, 'request_amount_exceeded', 'amountMinor')
    expect([await ann.balanceMinor(), await ben.balanceMinor()]).toEqual([18_00, 82_00])
    expect(await history(ben, id)).toEqual(['asked', 'paid', 'paid', 'paid'])
    await books(server)
  })

  test('the same key pays once, at once and on a later day when it is long paid', async () => {
    const { id } = await asked(ann, ben, 20_00)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (): Promise<unknown> => (await pay(ben, id, 20_00, key)).json()),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    later(30)
    expect(await (await pay(ben, id, 20_00, key)).json()).toEqual(answers[0])
    expect(await ben.balanceMinor()).toBe(80_00)
    expect(await history(ben, id)).toEqual(['asked', 'paid'])
  })

  test('is refused without the money, and nothing is noted', async () => {
    const { id } = await asked(ann, ben, 100_01)
    const before = await books(server)
    await expectRefusal(await pay(ben, id, 100_01), 'insufficient_funds')
    expect(await books(server)).toEqual(before)
    expect(await history(ben, id)).toEqual(['asked'])
  })

  test.each(['paid', 'declined', 'cancelled', 'expired'] as const)(
    'a request that is %s is refused',
    async (status) => {
      const { id } = await asked(ann, ben, 10_00)
      if (status === 'paid') await pay(ben, id, 10_00)
      if (status === 'declined') await act(ben, id, 'decline')
      if (status === 'cancelled') await act(ann, id, 'cancel')
      if (status === 'expired') later(14)
      expect((await detail(ben, id)).request.status).toBe(status)
      const before = await books(server)
      await expectRefusal(await pay(ben, id, 1_00), 'request_not_open')
      await expectRefusal(await act(ben, id, 'decline'), 'request_not_open')
      await expectRefusal(await act(ann, id, 'cancel'), 'request_not_open')
      await expectRefusal(await act(ann, id, 'reminders'), 'request_not_open')
      expect(await books(server)).toEqual(before)
      expect(await history(ben, id)).toEqual(['asked', status])
    },
  )

  test('paying, declining and cancelling at one moment ends it one way', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { id } = await asked(ann, ben, 1_00)
      const answers = await Promise.all([pay(ben, id, 1_00), act(ben, id, 'decline'), act(ann, id, 'cancel')])
      expect(statuses(answers)).toEqual([200, 409, 409])
      expect(await history(ben, id)).toHaveLength(2)
    }
    const paidMinor = (await list(ann)).sent.reduce((sum, request) => sum + request.paidMinor, 0)
    expect(await ann.balanceMinor()).toBe(paidMinor)
  })

  test('others find nothing to pay, decline, cancel or remind of', async () => {
    const { id } = await asked(ann, ben, 10_00)
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await eve.fund(50_00)
    for (const other of [id, randomUUID(), 'x']) {
      await expectRefusal(await pay(eve, other, 1_00), 'not_found')
      for (const what of ['decline', 'cancel', 'reminders'] as const)
        await expectRefusal(await act(eve, other, what), 'not_found')
      await expectRefusal(await block(eve, other), 'not_found')
    }
    // Each side has what is theirs to do.
    await expectRefusal(await pay(ann, id, 1_00), 'not_found')
    await expectRefusal(await act(ann, id, 'decline'), 'not_found')
    await expectRefusal(await act(ben, id, 'cancel'), 'not_found')
    await expectRefusal(await act(ben, id, 'reminders'), 'not_found')
    expect(await history(ben, id)).toEqual(['asked'])
  })
})

describe('a link for anyone', () => {
  const tokenOf = ({ url }: MoneyRequest) => /\/request\?link=([\w-]+)$/.exec(url ?? '')?.[1] ?? ''
  const payLink = (who: Person, token: string, amountMinor: number) =>
    who.browser.post(`/api/v1/request-links/${token}/payments`, usd(amountMinor))

  test('is paid by whoever has it, in parts by several, and never by its maker', async () => {
    const request = await asked(ann, null, 30_00, 'Present for Jo')
    expect(request).toMatchObject({ name: null, remindableAt: null })
    const token = tokenOf(request)
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    await eve.fund(50_00)
    expect((await payLink(ben, token, 10_00)).status).toBe(200)
    const both = await Promise.all([payLink(eve, token, 20_00), payLink(ben, token, 20_00)])
    expect(statuses(both)).toEqual([200, 409])
    expect(await read<LinkedRequest>(eve, `/request-links/${token}`)).toMatchObject({
      status: 'paid',
      paidMinor: 30_00,
    })
    expect(await ann.balanceMinor()).toBe(30_00)
    await expectRefusal(await payLink(ann, tokenOf(await asked(ann, null, 1_00)), 1_00), 'request_is_own')
  })

  test('cannot be guessed, and speaks of nothing else', async () => {
    const [open, toBen] = [await asked(ann, null, 30_00), await asked(ann, ben, 30_00)]
    const eve = await server.person({ fullName: 'Eve Ray', email: `eve${round}@example.com` })
    const tokens = [
      'x',
      open.id,
      `${tokenOf(open).slice(0, -1)}A`.replace(/AA$/, 'BA'),
      requestToken({ secret: 'another' }, open.id),
      // Of what somebody else was asked, the link is theirs.
      requestToken(server.deps.config, toBen.id),
    ]
    for (const token of tokens) {
      await expectRefusal(await eve.browser.get(`/api/v1/request-links/${token}`), 'request_link_not_found')
      await expectRefusal(await payLink(eve, token, 1_00), 'request_link_not_found')
    }
    await expectRefusal(await act(ann, open.id, 'reminders'), 'not_found')
  })
})

describe('reminding', () => {
  test('goes once a day, and once for a key', async () => {
    const { id } = await asked(ann, ben, 10_00)
    const key = randomUUID()
    const answers = await Promise.all([act(ann, id, 'reminders', key), act(ann, id, 'reminders', key)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await expectRefusal(await act(ann, id, 'reminders'), 'reminded_today')
    later(0.9)
    await expectRefusal(await act(ann, id, 'reminders'), 'reminded_today')
    later(1)
    const together = await Promise.all([act(ann, id, 'reminders'), act(ann, id, 'reminders')])
    expect(statuses(together)).toEqual([200, 409])
    expect(await kinds(ben)).toEqual(['request_from_stranger', 'request_reminder', 'request_reminder'])
    expect(await history(ann, id)).toEqual(['asked', 'reminded', 'reminded'])
  })
})

test('nobody is reminded of more than ten requests of one person a day, however many there are', async () => {
  const { id } = await asked(ann, ben, 1_00)
  const before = await server.deps.db
    .selectFrom('bank.money_request')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // As if asked on other days: one person is asked ten times a day at most, too.
  const ids = Array.from({ length: 12 }, () => randomUUID())
  await server.deps.db
    .insertInto('bank.money_request')
    .values(ids.map((one) => ({ ...before, id: one })))
    .execute()
  const answers = await Promise.all(ids.map((one) => act(ann, one, 'reminders')))
  expect(statuses(answers)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect((await kinds(ben)).filter((kind) => kind === 'request_reminder')).toHaveLength(10)
})

describe('declining and expiring', () => {
  test('a decline moves no money, and keeps what was paid', async () => {
    const { id } = await asked(ann, ben, 10_00)
    await pay(ben, id, 4_00)
    const before = await books(server)
    const key = randomUUID()
    for (let time = 0; time < 2; time += 1)
      expect(await (await act(ben, id, 'decline', key)).json()).toMatchObject({ request: { status: 'declined' } })
    expect(await books(server)).toEqual(before)
    expect(await ann.balanceMinor()).toBe(4_00)
    expect(await kinds(ann)).toEqual(['request_paid', 'request_declined'])
  })

  test('the job ends what was not paid in time, once, and tells who asked', async () => {
    const { id } = await asked(ann, ben, 10_00)
    const others = await Promise.all([asked(ann, ben, 1_00), asked(ann, null, 2_00)])
    later(13.9)
    await takeTurn(expireRequestsJob, server.deps)
    expect((await detail(ann, id)).request.status).toBe('open')
    later(14)
    expect(await history(ann, id)).toEqual(['asked', 'expired'])
    const before = await books(server)
    await Promise.all([takeTurn(expireRequestsJob, server.deps), takeTurn(expireRequestsJob, server.deps)])
    await takeTurn(expireRequestsJob, server.deps)
    expect(await books(server)).toEqual(before)
    expect(await history(ann, id)).toEqual(['asked', 'expired'])
    expect(await kinds(ann)).toEqual(['request_expired', 'request_expired', 'request_expired'])
    const states = await requestsByIds(server.deps, [id, ...others.map((other) => other.id), randomUUID()])
    expect([...states.values()].map(({ status }) => status)).toEqual(['expired', 'expired', 'expired'])
  })
})

describe('blocking', () => {
  test('hides what is asked then and later, tells of nothing, and the requester sees no difference', async () => {
    const first = await asked(ann, ben, 10_00)
    expect((await block(ben, first.id, true)).status).toBe(200)
    const second = await asked(ann, ben, 10_00)
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

  test('is taken back by the one who did it alone, and what was asked meanwhile stays unseen', async () => {
    const before = await asked(ann, ben, 10_00)
    await block(ben, before.id)
    await asked(ann, ben, 11_00)
    const { blocked } = await list(ben)
    expect(blocked).toMatchObject([{ name: 'Ann Lee' }])
    const path = `/api/v1/request-blocks/${blocked[0]?.id}`
    await expectRefusal(await ann.browser.delete(path), 'not_found')
    expect(await (await ben.browser.delete(path)).json()).toEqual({ blocked: [] })
    await expectRefusal(await ben.browser.delete(path), 'not_found')
    await asked(ann, ben, 12_00)
    expect((await list(ben)).received.map(({ amountMinor }) => amountMinor)).toEqual([12_00, 10_00])
  })
})

test('many are asked in one transaction, and none where one of them cannot be', async () => {
  const asks = [
    { recipient: ben.customer.email, amountMinor: 10_00, note: 'Pizza' },
    { recipient: `other${round}@example.org`, amountMinor: 10_01 },
    { recipient: null, amountMinor: 5_00 },
  ]
  const askAll = (more: { recipient: string; amountMinor: number }[] = []) =>
    inTransaction(server.deps.db, (trx) => createRequestsWithin(server.deps, trx, ann.customer, [...asks, ...more]))
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

test('closing cancels what one asked for, and the download has both sides', async () => {
  const { id } = await asked(ann, ben, 10_00, 'Book')
  const exported = await (await ben.browser.get('/api/v1/profile/export')).text()
  expect(exported).toContain('Book')
  await closeCustomer(server.deps, ann.customer, {
    device: { browser: 'Test browser', system: null },
    networkZone: 'internet',
  })
  await expectRefusal(await pay(ben, id, 1_00), 'request_not_open')
  expect(await history(ben, id)).toEqual(['asked', 'cancelled'])
})
