import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NoticeContent } from '#contract/notices.ts'
import { MONEY_TOPICS, NOTICE_TOPICS, type NoticePreferences, type NoticeTopic } from '#contract/notice-topics.ts'
import type { Notice } from '#contract/notifications.ts'
import { purgeNotices } from '#server/notifications/retention.ts'
import { type NewNotice, notify, notifyAll } from '#server/notifications/service.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: TestPerson
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
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

const paid = (person: TestPerson, amountMinor: number, createdAt?: Date): NewNotice => ({
  customerId: person.customer.id,
  kind: 'payment_received',
  params: { amountMinor, asset: 'USD', name: 'Cy Roe' },
  ...(createdAt && { createdAt }),
})

const sendNotice = (person: TestPerson, amountMinor: number, createdAt?: Date) =>
  notify(server.deps, server.deps.db, paid(person, amountMinor, createdAt))

type Page = { notices: (Notice & { params: { amountMinor: number } })[]; nextCursor: string | null }

async function list(person: TestPerson, query = ''): Promise<Page> {
  return (await person.browser.get(`/api/v1/notifications${query}`)).json()
}

const amounts = ({ notices }: Page) => notices.map(({ params }) => params.amountMinor)

async function unread(person: TestPerson): Promise<number> {
  return (await (await person.browser.get('/api/v1/notifications/unread')).json()).unread
}

const markRead = (person: TestPerson, upTo: string) => person.browser.post('/api/v1/notifications/read', { upTo })

const prefer = (person: TestPerson, change: object) =>
  person.browser.send('PATCH', '/api/v1/notifications/preferences', JSON.stringify(change))

const preferences = async (person: TestPerson): Promise<NoticePreferences> =>
  (await person.browser.get('/api/v1/notifications/preferences')).json()

test('a list is newest first and has pages without a gap, also among notices of one moment', async () => {
  for (let count = 1; count <= 3; count += 1) await sendNotice(ann, count, new Date(START.getTime() - count * DAY_MS))
  await notifyAll(server.deps, server.deps.db, [paid(ann, 4), paid(ann, 5), paid(ann, 6)])
  const noticeList = await list(ann)
  expect(amounts(noticeList).slice(3)).toEqual([1, 2, 3])
  expect(noticeList.nextCursor).toBeNull()
  const paged: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await list(ann, `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    paged.push(...amounts(page))
    cursor = page.nextCursor
  }
  expect(paged).toEqual(amounts(noticeList))
  expect(await list(bob)).toEqual({ notices: [], nextCursor: null })
})

test.each(['x', '1', `1.${'a'.repeat(36)}`, `99999999999999999.${randomUUID()}`, '.', '%00'])(
  'the cursor %j is refused',
  async (cursor) => {
    const answer = await ann.browser.get(`/api/v1/notifications?cursor=${encodeURIComponent(cursor)}`)
    await expectRefusal(answer, 'cursor_invalid', 'cursor')
  },
)

test('a notice of an unknown kind is omitted, and the list continues after it', async () => {
  await sendNotice(ann, 1, new Date(START.getTime() - 1_000))
  await server.deps.pool.query(
    `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
     VALUES (gen_random_uuid(), $1, 'of_tomorrow', '{}', $2), (gen_random_uuid(), $1, 'payment_received', '{}', $2)`,
    [ann.customer.id, START],
  )
  const first = await list(ann, '?limit=2')
  expect(first.notices).toEqual([])
  expect(amounts(await list(ann, `?cursor=${first.nextCursor}`))).toEqual([1])
})

test('marking as read covers the seen notices, and not new ones with an earlier time', async () => {
  await sendNotice(ann, 1)
  await sendNotice(ann, 2, new Date(START.getTime() - DAY_MS))
  const noticeList = await list(ann)
  await sendNotice(ann, 3, new Date(START.getTime() - 2 * DAY_MS))
  const newest =
    noticeList.notices
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ''
  const answer = await markRead(ann, newest)
  expect([answer.status, await answer.json()]).toEqual([200, { unread: 1 }])
  const after = await list(ann)
  expect(after.notices.map(({ params, readAt }) => [params.amountMinor, readAt])).toEqual([
    [1, START.toISOString()],
    [2, START.toISOString()],
    [3, null],
  ])
  expect((await ann.dashboard()).unreadNotifications).toBe(1)
})

test('one notice can be marked alone, and keeps the time of its first reading', async () => {
  await sendNotice(ann, 1)
  await sendNotice(ann, 2)
  const [{ id } = { id: '' }] = (await list(ann)).notices
  expect(await (await ann.browser.post(`/api/v1/notifications/${id}/read`)).json()).toEqual({ unread: 1 })
  clock.set(new Date(START.getTime() + DAY_MS))
  expect(await (await ann.browser.post(`/api/v1/notifications/${id.toUpperCase()}/read`)).json()).toEqual({ unread: 1 })
  expect((await list(ann)).notices.find((notice) => notice.id === id)?.readAt).toBe(START.toISOString())
})

test('another customer’s notice and an unknown one cannot be marked', async () => {
  await sendNotice(ann, 1)
  const [{ id } = { id: '' }] = (await list(ann)).notices
  await sendNotice(bob, 2)
  await expectRefusal(await markRead(bob, id), 'not_found')
  await expectRefusal(await bob.browser.post(`/api/v1/notifications/${id}/read`), 'not_found')
  await expectRefusal(await bob.browser.post(`/api/v1/notifications/${randomUUID()}/read`), 'not_found')
  await expectRefusal(await bob.browser.post('/api/v1/notifications/x/read'), 'not_found')
  await expectRefusal(await markRead(bob, 'x'), 'request_invalid', 'upTo')
  await expectRefusal(
    await bob.browser.post('/api/v1/notifications/read', { upTo: id, customerId: ann.customer.id }),
    'request_invalid',
    'customerId',
  )
  expect([await unread(ann), await unread(bob)]).toEqual([1, 1])
})

test('simultaneous marking and new notices lose and invent none', async () => {
  await notifyAll(
    server.deps,
    server.deps.db,
    Array.from({ length: 20 }, (_, index) => paid(ann, index + 1)),
  )
  const newest =
    (await list(ann, '?limit=100')).notices
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ''
  const later = Array.from({ length: 10 }, (_, index) => sendNotice(ann, 100 + index))
  await Promise.all([...Array.from({ length: 10 }, () => markRead(ann, newest)), ...later])
  const unreadNotices = (await list(ann, '?limit=100')).notices.filter(({ readAt }) => readAt === null)
  expect(unreadNotices.map(({ params }) => params.amountMinor).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, index) => 100 + index),
  )
})

test('a customer gets notices of all topics until they switch some off, one by one', async () => {
  const topics = Object.fromEntries(NOTICE_TOPICS.map((topic) => [topic, true]))
  expect(await preferences(ann)).toEqual({ notifications: true, transactionAlerts: true, topics })
  const off = await prefer(ann, { topics: { cards: false, news: false } })
  expect(await off.json()).toMatchObject({ topics: { ...topics, cards: false, news: false } })
  await prefer(ann, { topics: { cards: true, savings: false } })
  await prefer(ann, { topics: {} })
  expect((await preferences(ann)).topics).toEqual({ ...topics, news: false, savings: false })
  expect((await preferences(bob)).topics).toEqual(topics)
})

const money = { amountMinor: 1_00, asset: 'USD' } as const
const ONE_OF: Record<NoticeTopic, NoticeContent> = {
  security: { kind: 'kyc_approved', params: { reason: null } },
  money: { kind: 'cashback_paid', params: money },
  money_in: { kind: 'payment_received', params: { ...money, name: 'Cy Roe' } },
  money_out: { kind: 'payment_expired', params: { ...money, name: 'Cy Roe' } },
  cards: { kind: 'card_payment', params: { ...money, name: 'Corner Shop' } },
  requests: { kind: 'request_declined', params: { ...money, name: 'Cy Roe', requestId: '1' } },
  savings: { kind: 'goal_move_skipped', params: { ...money, name: 'Bike' } },
  investing: { kind: 'crypto_bought', params: { ...money, name: 'Bitcoin' } },
  statements: { kind: 'statement_ready', params: { month: '2026-08' } },
  news: { kind: 'friend_joined', params: {} },
}

/** Returns the topics whose notices a customer with these preferences gets. */
async function heardWith(change: object): Promise<string[]> {
  await prefer(ann, change)
  const { id: customerId } = ann.customer
  const oneOfEach = Object.values(ONE_OF).map((content) => ({ customerId, ...content }))
  await notifyAll(server.deps, server.deps.db, oneOfEach)
  const heard = new Set((await list(ann, '?limit=100')).notices.map(({ kind }) => kind))
  return Object.entries(ONE_OF).flatMap(([topic, { kind }]) => (heard.has(kind) ? [topic] : []))
}

const OTHERS = NOTICE_TOPICS.filter((topic) => !(MONEY_TOPICS as readonly string[]).includes(topic))

test.each([
  [{}, ['security', 'money', ...NOTICE_TOPICS]],
  [{ topics: { cards: false } }, ['security', 'money', ...NOTICE_TOPICS.filter((topic) => topic !== 'cards')]],
  [{ transactionAlerts: false }, ['security', ...OTHERS]],
  [{ transactionAlerts: false, topics: { news: false } }, ['security', ...OTHERS.filter((topic) => topic !== 'news')]],
  [{ notifications: false }, ['security']],
  [{ notifications: false, transactionAlerts: true }, ['security']],
  [{ topics: Object.fromEntries(NOTICE_TOPICS.map((topic) => [topic, false])) }, ['security', 'money']],
])('with %j the customer gets %j', async (change, expected) => {
  expect(await heardWith(change)).toEqual(expected)
})

test.each([
  [{ topics: { security: false } }, 'topics.security'],
  [{ topics: { toString: false } }, 'topics.toString'],
  [{ topics: { cards: 'no' } }, 'topics.cards'],
  [{ topics: null }, 'topics'],
  [{ notifications: 1 }, 'notifications'],
  [{ muted: [] }, 'muted'],
])('the preference %j is refused', async (change, field) => {
  const before = await preferences(ann)
  await expectRefusal(await prefer(ann, change), 'request_invalid', field)
  expect(await preferences(ann)).toEqual(before)
})

test('two devices that switch different topics at the same moment both succeed', async () => {
  await Promise.all(NOTICE_TOPICS.map((topic) => prefer(ann, { topics: { [topic]: false } })))
  expect(Object.values((await preferences(ann)).topics)).toEqual(NOTICE_TOPICS.map(() => false))
})

test('a notice is deleted after a year of business time, and not a day earlier', async () => {
  await sendNotice(ann, 1, new Date(START.getTime() - 364 * DAY_MS))
  await sendNotice(ann, 2)
  await purgeNotices(server.deps)
  expect(amounts(await list(ann))).toEqual([2, 1])
  clock.set(new Date(START.getTime() + 2 * DAY_MS))
  await purgeNotices(server.deps)
  expect(amounts(await list(ann))).toEqual([2])
})
