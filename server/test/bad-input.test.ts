import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_BODY } from '#server/platform/http/body.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const SEND = '/api/v1/transfers'
const TOP_UP = '/api/v1/top-ups'

let server: PeopleServer
let ann: TestPerson
let bob: TestPerson

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await ann.fund(100_00)
})
afterAll(() => server.close())

const send = { recipient: 'bob@example.com', amountMinor: 1_00, asset: 'USD' }
const topUp = { amountMinor: 1_00, asset: 'USD', method: 'card' }

/** Runs requests that must all be refused, and checks that the books are unchanged. */
async function unchanged(run: () => Promise<void>): Promise<void> {
  const auditBefore = await auditTestBooks(server)
  await run()
  expect(await auditTestBooks(server)).toEqual(auditBefore)
}

const NO_AMOUNTS = [0, -1, 0.001, 1.5, 2 ** 53, 1e300, '1', '12,50', '', 'NaN', null, [], {}, true, undefined]
test.each(NO_AMOUNTS.map((amountMinor) => ({ amountMinor })))('$amountMinor is not a valid amount', ({ amountMinor }) =>
  unchanged(async () => {
    const sendAnswer = await ann.browser.post(SEND, { ...send, amountMinor })
    await expectRefusal(sendAnswer, 'amount_invalid', 'amountMinor')
    const topUpAnswer = await ann.browser.post(TOP_UP, { ...topUp, amountMinor })
    await expectRefusal(topUpAnswer, 'amount_invalid', 'amountMinor')
  }),
)

const NO_NUMBERS = ['1e3', '1.0', '-1', '-0', 'NaN', 'Infinity', '0x10', '01', '1_000', '1n']
test.each(NO_NUMBERS)('the number %s is not a valid amount', (literal) =>
  unchanged(async () => {
    const answer = await ann.browser.send('POST', SEND, JSON.stringify(send).replace('100', literal))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toHaveProperty('error.code')
  }),
)

test('an amount under a key with escapes is validated like any other', () =>
  unchanged(async () => {
    const body = JSON.stringify(send).replace('"amountMinor":100', String.raw`"amount\u004dinor":1e2`)
    await expectRefusal(await ann.browser.send('POST', SEND, body), 'amount_invalid', 'amountMinor')
  }))

test.each(['', '   ', undefined])('the recipient %j is missing', (recipient) =>
  unchanged(async () => {
    await expectRefusal(await ann.browser.post(SEND, { ...send, recipient }), 'fields_missing', 'recipient')
  }),
)

const NO_ADDRESSES = ['bob', 'a@b', 12, null, {}, 'x'.repeat(300)]
test.each(NO_ADDRESSES)('the recipient %j is not an address', (recipient) =>
  unchanged(async () => {
    await expectRefusal(await ann.browser.post(SEND, { ...send, recipient }), 'recipient_invalid', 'recipient')
  }),
)

test.each([undefined, '', 'cash', 1, null])('the method %j is unknown', (method) =>
  unchanged(async () => {
    await expectRefusal(await ann.browser.post(TOP_UP, { ...topUp, method }), 'method_missing', 'method')
  }),
)

test.each(['from', 'constructor', '__proto__', 'operationId'])('the unknown key %s is refused by name', (key) =>
  unchanged(async () => {
    const text = JSON.stringify(send).replace('{', `{"${key}":1,`)
    await expectRefusal(await ann.browser.send('POST', SEND, text), 'request_invalid', key)
  }),
)

const NO_JSON = ['', '{', '[]', 'null', '"text"', '1', '{"recipient":"bob@example.com",}', '\0', '{"a":1}{"b":2}']
test.each(NO_JSON)('%j is not the expected JSON', (text) =>
  unchanged(async () => {
    const answer = await ann.browser.send('POST', SEND, text)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toHaveProperty('error.code')
  }),
)

const FORM = 'application/x-www-form-urlencoded'
test.each(['text/plain', FORM, 'multipart/form-data; boundary=x', 'application/jsonp', 'json', ''])(
  'the content type %j is not JSON',
  (type) =>
    unchanged(async () => {
      const headers = { 'content-type': type }
      const answer = await ann.browser.send('POST', SEND, JSON.stringify(send), { headers })
      await expectRefusal(answer, 'media_type_unsupported')
    }),
)

const NO_QUERIES = [
  'limit=0',
  'limit=101',
  'limit=x',
  'from=yesterday',
  'category=none',
  'minMinor=-1',
  'q=a&q=b',
  'page=2',
]
test.each(NO_QUERIES)('the query %s is refused by the name of its parameter', (query) =>
  unchanged(async () => {
    const [name = ''] = query.split('=')
    const code = name.endsWith('Minor') ? 'amount_invalid' : 'request_invalid'
    await expectRefusal(await ann.browser.get(`/api/v1/transactions?${query}`), code, name)
  }),
)

test('a body above 64 KiB is refused', () =>
  unchanged(async () => {
    await expectRefusal(await ann.browser.post(SEND, { ...send, note: 'x'.repeat(MAX_BODY) }), 'request_too_large')
  }))

const KEY = randomUUID()
test.each(['1', 'x'.repeat(36), KEY.slice(1), `${KEY}0`, `{${KEY}}`, KEY.replaceAll('-', '')])(
  '%s is not an idempotency key',
  (key) =>
    unchanged(async () => {
      await expectRefusal(await ann.browser.post(SEND, send, { key }), 'idempotency_key_invalid')
    }),
)

test.each([
  [SEND, send],
  [TOP_UP, topUp],
])('%s moves no money without a key', (path, body) =>
  unchanged(async () => {
    await expectRefusal(await ann.browser.post(path, body, { key: null }), 'idempotency_key_missing')
    const headers = { 'idempotency-key': '' }
    await expectRefusal(await ann.browser.post(path, body, { headers }), 'idempotency_key_missing')
  }),
)

test.each([undefined, 'null', 'https://evil.example'])(
  'a page of %s moves no money, even in a signed-in browser',
  (origin) =>
    unchanged(async () => {
      await expectRefusal(await ann.browser.post(SEND, send, { headers: { origin } }), 'origin_refused')
    }),
)

test('a repeated request with one key moves money once, in any spelling of the key and the body', async () => {
  const key = randomUUID()
  const first = await ann.browser.post(SEND, send, { key })
  expect(first.status).toBe(200)
  const bookedAnswer = await first.json()
  const afterwards = await auditTestBooks(server)
  const equalRequests = [
    ann.browser.post(SEND, send, { key }),
    ann.browser.post(SEND, send, { key: key.toUpperCase() }),
    ann.browser.send('POST', SEND, `{ "asset": "USD", "amountMinor": 100,\n "recipient": " bob@example.com " }`, {
      key,
    }),
    ann.browser.send('POST', SEND, JSON.stringify(send), {
      key,
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    }),
  ]
  for (const answer of await Promise.all(equalRequests)) {
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(bookedAnswer)
  }
  expect(await auditTestBooks(server)).toEqual(afterwards)
})

test('many simultaneous attempts move money once', async () => {
  const key = randomUUID()
  const earlier = await ann.balanceMinor()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ann.browser.post(SEND, send, { key })))
  const bodies = await Promise.all(answers.map((answer) => answer.json()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const body of bodies) expect(body).toEqual(bodies[0])
  expect(await ann.balanceMinor()).toBe(earlier - 1_00)
})

test('a used key is refused for other requests', async () => {
  const key = randomUUID()
  expect((await ann.browser.post(SEND, send, { key })).status).toBe(200)
  const auditBefore = await auditTestBooks(server)
  await expectRefusal(await ann.browser.post(SEND, { ...send, amountMinor: 2_00 }, { key }), 'idempotency_key_reused')
  await expectRefusal(await ann.browser.post(SEND, { ...send, note: 'x' }, { key }), 'idempotency_key_reused')
  await expectRefusal(await ann.browser.post(TOP_UP, topUp, { key }), 'idempotency_key_reused')
  await expectRefusal(
    await bob.browser.post(SEND, { ...send, recipient: 'ann@example.com' }, { key }),
    'idempotency_key_reused',
  )
  expect(await auditTestBooks(server)).toEqual(auditBefore)
})

test('a refusal is final, and its key may be used again', async () => {
  const key = randomUUID()
  const much = { ...send, amountMinor: 1_000_000_00 }
  await expectRefusal(await ann.browser.post(SEND, much, { key }), 'insufficient_funds')
  await expectRefusal(await ann.browser.post(SEND, much, { key }), 'insufficient_funds')
})

test('a repetition gets the booked response even if a new request would be refused today', async () => {
  const carol = await server.person({ fullName: 'Carol Ray', email: 'carol@example.com' })
  const key = randomUUID()
  const toCarol = { ...send, recipient: 'carol@example.com' }
  const bookedAnswer = await (await ann.browser.post(SEND, toCarol, { key })).json()
  // Ann takes over the address, so a payment to it would be a payment to herself.
  const change = (id: string, email: string) =>
    server.deps.pool.query('UPDATE bank.customer SET email = $2 WHERE id = $1', [id, email])
  await change(carol.customer.id, 'carol2@example.com')
  await change(ann.customer.id, 'carol@example.com')
  await expectRefusal(await ann.browser.post(SEND, toCarol), 'recipient_is_self', 'recipient')
  expect(await (await ann.browser.post(SEND, toCarol, { key })).json()).toEqual(bookedAnswer)
  await change(ann.customer.id, 'ann@example.com')
})

test('an ended session moves no money', async () => {
  const dan = await server.person({ fullName: 'Dan Fox', email: 'dan@example.com' })
  await dan.fund(10_00)
  await dan.browser.delete('/api/v1/session')
  const auditBefore = await auditTestBooks(server)
  await expectRefusal(await dan.browser.post(SEND, send), 'sign_in_required')
  await expectRefusal(await dan.browser.post(TOP_UP, topUp), 'sign_in_required')
  expect(await auditTestBooks(server)).toEqual(auditBefore)
})
