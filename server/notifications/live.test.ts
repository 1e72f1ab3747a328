import { LIVE_EVENTS } from '#contract/events.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEventHub } from '#server/platform/events/hub.ts'
import { findCustomers } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { notify, unreadCount } from '#server/notifications/service.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { digestOfGivenToken } from '#server/platform/secrets/token.ts'

let server: TestServer
let beside: TestServer

beforeAll(async () => {
  server = await testServer({ heartbeatMs: 100 })
  beside = await testServer({ heartbeatMs: 100, beside: server })
})
afterAll(async () => {
  await beside.close()
  await server.close()
})

const notifyCustomer = (customerId: string, type: 'balance' | 'notification' = 'balance', where = server) =>
  where.deps.events.notify(where.deps.db, [customerId], type)

/** Opens an event stream and returns the events received so far and whether the stream has ended. */
async function listen(browser: Browser, url = server.url) {
  const answer = await fetch(`${url}/api/v1/events`, { headers: { cookie: browser.cookie() } })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const stream = {
    answer,
    text: '',
    over: false,
    events: () => [...stream.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').type),
    leave: () => reader.cancel(),
  }
  const readStream = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      stream.text += new TextDecoder().decode(part.value)
  }
  void readStream().finally(() => (stream.over = true))
  await expect.poll(() => stream.text).toContain('retry:')
  return stream
}

async function newVisitor() {
  const browser = await server.visitor()
  const { rows } = await server.deps.pool.query('SELECT customer_id FROM bank.session WHERE token_hash = $1', [
    digestOfGivenToken(new RegExp(`${server.deps.cookies.session}=([\\w-]+)`).exec(browser.cookie())?.[1]),
  ])
  return { browser, id: String(rows[0].customer_id) }
}

test('an event reaches only its own customer, on every server', async () => {
  const [ann, bob] = [await newVisitor(), await newVisitor()]
  const streams = [await listen(ann.browser), await listen(ann.browser, beside.url), await listen(bob.browser)]
  expect(streams[0]?.answer.headers.get('content-type')).toContain('text/event-stream')
  await notifyCustomer(ann.id, 'balance', beside)
  await expect.poll(() => streams.map(({ events }) => events())).toEqual([['balance'], ['balance'], []])
  await notifyCustomer(bob.id, 'notification')
  await expect.poll(() => streams.map(({ events }) => events())).toEqual([['balance'], ['balance'], ['notification']])
  await Promise.all(streams.map(({ leave }) => leave()))
})

test('a change without money and without a notice is sent to other screens, and a refused one is not', async () => {
  const { browser } = await newVisitor()
  const stream = await listen(browser)
  const goal = { name: 'Sea', icon: 'plane', targetMinor: 500_00, targetOn: null }
  await browser.post('/api/v1/goals', { ...goal, lockedUntil: '2000-01-01' })
  await browser.get('/api/v1/goals')
  await browser.post('/api/v1/goals', { ...goal, lockedUntil: null })
  await expect.poll(stream.events).toEqual(['change'])
  await stream.leave()
})

test('events in quick succession are merged', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  await Promise.all(Array.from({ length: 20 }, () => notifyCustomer(id)))
  await expect.poll(() => stream.events().length).toBeGreaterThan(1)
  await wait(400)
  // The first event comes at once and the others combined. On a slow machine there are a few more.
  expect(stream.events().length).toBeLessThan(10)
  await stream.leave()
})

test('a notice is stored, counted and announced when it is committed, and not when it is rolled back', async () => {
  const { deps } = server
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  const notice = {
    customerId: id,
    kind: 'top_up_settled',
    params: { amountMinor: 1, asset: 'USD', method: 'bank' },
  } as const
  const rolledBack = deps.db.transaction().execute(async (trx) => {
    await notify(deps, trx, notice)
    throw new Error('on second thoughts')
  })
  await expect(rolledBack).rejects.toThrow('on second thoughts')
  expect(await unreadCount(deps, id)).toBe(0)
  await notify(deps, deps.db, notice)
  await expect.poll(stream.events).toEqual(['notification'])
  expect(await unreadCount(deps, id)).toBe(1)
  await stream.leave()
})

test('a notice from one server is announced, listed and counted by another', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  const notice = { kind: 'top_up_settled', params: { amountMinor: 1, asset: 'USD', method: 'bank' } } as const
  await notify(beside.deps, beside.deps.db, { customerId: id, ...notice })
  await expect.poll(stream.events).toEqual(['notification'])
  const { notices } = await (await browser.get('/api/v1/notifications')).json()
  expect(notices).toMatchObject([{ kind: notice.kind, params: notice.params, readAt: null }])
  // A notice that is read on one screen becomes read on all others, on any server.
  await browser.post('/api/v1/notifications/read', { upTo: notices[0].id })
  await expect.poll(stream.events).toHaveLength(2)
  expect(await unreadCount(beside.deps, id)).toBe(0)
  await stream.leave()
})

test('more customers than fit into one message all get their event', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  const otherIds = Array.from(
    { length: 450 },
    (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  )
  await server.deps.events.notify(server.deps.db, [...otherIds, id], 'balance')
  await expect.poll(stream.events).toEqual(['balance'])
  await stream.leave()
})

test('a message that cannot be read is skipped', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  for (const payload of ['', 'x', '{}', '{"type":"other","holders":[]}', '[1]']) {
    await server.deps.pool.query('SELECT pg_notify($1, $2)', ['bank_event', payload])
  }
  await notifyCustomer(id)
  await expect.poll(stream.events).toEqual(['balance'])
  await stream.leave()
})

test('a stream sends heartbeats, and ends soon after its session', async () => {
  const { browser } = await newVisitor()
  const stream = await listen(browser)
  await expect.poll(() => stream.text).toContain(': still here\n\n')
  expect(stream.over).toBe(false)
  await browser.delete('/api/v1/session')
  await expect.poll(() => stream.over).toBe(true)
})

test('without a session there is no stream', async () => {
  expect((await server.browser().get('/api/v1/events')).status).toBe(401)
})

test('moved money is announced on every server', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser, beside.url)
  await browser.post('/api/v1/top-ups', { amountMinor: 10_00, asset: 'USD', method: 'card' })
  await expect.poll(stream.events).toContain('balance')
  const account = await findCustomers(server.deps, [id]).then((customers) => customers.get(id)?.currentAccountId ?? 0)
  const heard = stream.events().length
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'test',
    fingerprint: 'test',
    bookedAt: new Date(),
    legs: [{ kind: 'transfer', debit: bankAccount('ach_clearing'), credit: account, amountMinor: 1 }],
  })
  await expect.poll(() => stream.events().slice(heard)).toContain('balance')
  await stream.leave()
})

test('events during a lost connection are sent after it is back', async () => {
  const { pool, log } = server.deps
  const [teller, listener] = [await openEventHub({ pool, log }), await openEventHub({ pool, log })]
  const heard: string[] = []
  const id = randomUUID()
  listener.subscribe(id, (type) => heard.push(type))
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM (
       SELECT pid FROM pg_stat_activity WHERE application_name = 'alder-events' AND datname = current_database()
        ORDER BY backend_start DESC OFFSET 1 LIMIT 1) AS of_the_teller`,
  )
  teller.notifySoon([id, id], 'balance')
  await expect.poll(() => heard).toEqual(['balance'])
  await Promise.all([teller.close(), listener.close()])
})

test('a hub that closes sends its waiting events', async () => {
  const { pool, log } = server.deps
  const [teller, listener] = [await openEventHub({ pool, log }), await openEventHub({ pool, log })]
  const heard: string[] = []
  const id = randomUUID()
  listener.subscribe(id, (type) => heard.push(type))
  teller.notifySoon([id], 'balance')
  await teller.close()
  await expect.poll(() => heard).toEqual(['balance'])
  await listener.close()
})

/** The events that a stream gets when anything may have changed. */
const ALL = LIVE_EVENTS.filter((type) => type !== 'replaced')

test('a lost connection is renewed, and all screens reload', async () => {
  const { browser, id } = await newVisitor()
  const stream = await listen(browser)
  await server.deps.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'alder-events' AND datname = current_database()`,
  )
  await expect.poll(stream.events).toEqual(ALL)
  await wait(200)
  await notifyCustomer(id)
  await expect.poll(stream.events).toHaveLength(ALL.length + 1)
  await stream.leave()
})

test('a server that stops ends its streams', async () => {
  const stopping = await testServer({ beside: server })
  const { browser } = await newVisitor()
  const stream = await listen(browser, stopping.url)
  await stopping.deps.events.close()
  await expect.poll(() => stream.over).toBe(true)
  await stopping.close()
})
