import { scrypt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signInCookie } from '#server/test/sign-in.ts'
import { deliverPush, pushJob } from '#server/notifications/push/deliver.ts'
import { isCurvePoint, vapidKeys } from '#server/notifications/push/keys.ts'
import { openPushSender } from '#server/notifications/push/sender.ts'
import { purgeNotices } from '#server/notifications/retention.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { startJobs, type Jobs } from '#server/platform/jobs/worker.ts'
import { testClock } from '#server/test/bank.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { isSignedBy, openPushService, type TestPushBrowser, type TestPushService } from '#server/test/push-service.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const TIMEOUT_MS = 1_500

const clock = testClock(START)
let server: PeopleServer
let service: TestPushService
let jobs: Jobs
let ann: TestPerson
let phone: TestPushBrowser
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  service = await openPushService()
  server.deps.push = openPushSender(server.deps.config, { loopback: true, timeoutMs: TIMEOUT_MS })
  jobs = await startJobs(server.deps, [pushJob])
})
afterAll(async () => {
  await jobs.stop()
  await service.close()
  await server.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  phone = service.browser()
})

const subscribe = (person: TestPerson, browser = phone) => person.browser.post('/api/v1/push', browser.subscription)

/** Signs the same customer in on a second browser. */
const elsewhere = async (person: TestPerson): Promise<TestPerson> => ({
  ...person,
  browser: server.browser(await signInCookie(server.deps, person.customer.id)),
})

const isOn = async (person: TestPerson) => (await (await person.browser.get('/api/v1/push')).json()).on

const sendNotice = (person: TestPerson, amountMinor = 25_50) =>
  notify(server.deps, server.deps.db, {
    customerId: person.customer.id,
    kind: 'payment_received',
    params: { amountMinor, asset: 'USD', name: 'Bob May', transactionId: '0198f000-0000-7000-8000-000000000001' },
  })

type Subscription = { id: string; failures: number; retry_at: Date | null }

async function subscriptions(person: TestPerson): Promise<Subscription[]> {
  const { rows } = await server.deps.pool.query<Subscription>(
    'SELECT id, failures, retry_at FROM bank.push_subscription WHERE customer_id = $1',
    [person.customer.id],
  )
  return rows
}

const newestNotice = async (person: TestPerson): Promise<string> =>
  (await (await person.browser.get('/api/v1/notifications')).json()).notices[0].id

/** Sends the newest notice to a person's only browser, as the job does. */
async function deliver(person: TestPerson, tries = 3): Promise<void> {
  const [subscription] = await subscriptions(person)
  await deliverPush(server.deps, {
    noticeId: await newestNotice(person),
    subscriptionId: subscription?.id ?? '',
    tries,
  })
}

/** Waits until no push job is left. */
async function isQuiet(): Promise<void> {
  const readQueuedJobs = () => server.deps.pool.query('SELECT FROM graphile_worker.jobs')
  await expect.poll(async () => (await readQueuedJobs()).rowCount).toBe(0)
}

test('a notice reaches the browser, encrypted for it, signed by the bank, in the customer’s language', async () => {
  await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language: 'ar' }))
  expect(await (await subscribe(ann)).json()).toEqual({ publicKey: server.deps.push.publicKey, on: true })
  await sendNotice(ann)
  await expect.poll(() => phone.messages).toHaveLength(1)
  const [headers = {}] = phone.headers
  expect(phone.messages[0]).toMatchObject({
    id: await newestNotice(ann),
    path: '/transaction-detail?id=0198f000-0000-7000-8000-000000000001',
    language: 'ar',
    direction: 'rtl',
  })
  expect(phone.messages[0]?.body).toContain('Bob May')
  expect(phone.messages[0]?.title).toMatch(/[\u0600-\u06ff]/)
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
  expect(isSignedBy(server.deps.push.publicKey, headers, new URL(phone.subscription.endpoint).origin)).toBe(true)
})

test('each browser gets each notice once, and none from a transaction that was rolled back', async () => {
  const laptop = service.browser()
  await subscribe(ann)
  await subscribe(await elsewhere(ann), laptop)
  const rolledBack = server.deps.db.transaction().execute(async (trx) => {
    await notify(server.deps, trx, {
      customerId: ann.customer.id,
      kind: 'payment_received',
      params: { amountMinor: 1, asset: 'USD', name: 'x' },
    })
    throw new Error('on second thoughts')
  })
  await expect(rolledBack).rejects.toThrow('on second thoughts')
  await Promise.all([sendNotice(ann, 1_00), sendNotice(ann, 2_00), sendNotice(ann, 3_00)])
  // The messages arrive one after the other, because their jobs share a queue.
  await expect.poll(() => [phone.messages.length, laptop.messages.length]).toEqual([3, 3])
  await isQuiet()
  expect(new Set(phone.messages.map(({ id }) => id)).size).toBe(3)
  expect(phone.messages).toHaveLength(3)
})

test('a notice that is already read is not sent', async () => {
  await subscribe(ann)
  await sendNotice(ann)
  await isQuiet()
  await ann.browser.post('/api/v1/notifications/read', { upTo: await newestNotice(ann) })
  const before = phone.messages.length
  await deliver(ann)
  expect(phone.messages).toHaveLength(before)
})

describe('a push service', () => {
  beforeEach(async () => {
    await subscribe(ann)
    await sendNotice(ann)
    await isQuiet()
  })

  test.each([201, 200, 204])('with the response %d has accepted the notice', async (status) => {
    phone.behave(status)
    await deliver(ann)
    expect(await subscriptions(ann)).toMatchObject([{ failures: 0, retry_at: null }])
  })

  test.each([401, 403, 404, 410])('with the response %d gets no more notices', async (status) => {
    phone.behave(status)
    await deliver(ann)
    expect(await subscriptions(ann)).toEqual([])
    expect(await isOn(ann)).toBe(false)
  })

  test.each([400, 413, 302])('with the response %d does not get the same notice again', async (status) => {
    phone.behave(status)
    await deliver(ann, 1)
    await isQuiet()
    expect(phone.messages).toHaveLength(2)
    expect(await subscriptions(ann)).toMatchObject([{ failures: 1 }])
  })

  test.each([
    ['429', 429],
    ['500', 500],
    ['no response', () => undefined],
    ['invalid HTTP', (outgoing: { socket: { end(text: string): void } | null }) => outgoing.socket?.end('no\r\n\r\n')],
  ] as const)('with the response %s gets three attempts in all, and then a pause', async (_name, behaviour) => {
    phone.behave(behaviour)
    const started = performance.now()
    await sendNotice(ann)
    await expect.poll(() => phone.messages.length).toBe(4)
    await isQuiet()
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await subscriptions(ann)).toMatchObject([{ failures: 3, retry_at: new Date(START.getTime() + 60_000) }])
    await sendNotice(ann)
    await isQuiet()
    expect(phone.messages).toHaveLength(4)
    // After a success, earlier failures no longer count.
    phone.behave(201)
    clock.set(new Date(START.getTime() + 60_001))
    await sendNotice(ann)
    await expect.poll(() => phone.messages.length).toBe(5)
    await isQuiet()
    expect(await subscriptions(ann)).toMatchObject([{ failures: 0, retry_at: null }])
  })

  test('gets no notices queued during a pause', async () => {
    const leftAlone = `UPDATE bank.push_subscription SET failures = 3, retry_at = $1 WHERE customer_id = $2`
    await server.deps.pool.query(leftAlone, [new Date(START.getTime() + 1), ann.customer.id])
    const queued = () =>
      server.deps.db.transaction().execute(async (trx) => {
        await notify(server.deps, trx, {
          customerId: ann.customer.id,
          kind: 'payment_received',
          params: { amountMinor: 1, asset: 'USD', name: 'x' },
        })
        return (await runIn(trx)('SELECT FROM graphile_worker.jobs', [])).rows.length
      })
    expect(await queued()).toBe(0)
    clock.set(new Date(START.getTime() + 1))
    expect(await queued()).toBe(1)
    await isQuiet()
  })

  test('that is slow gets a pause, even if it accepted each notice', async () => {
    phone.behave((outgoing) => void setTimeout(() => outgoing.writeHead(201).end(), TIMEOUT_MS * 0.85))
    for (let times = 0; times < 4; times += 1) await deliver(ann)
    await isQuiet()
    expect(phone.messages).toHaveLength(4)
    expect(await subscriptions(ann)).toMatchObject([{ failures: 3, retry_at: new Date(START.getTime() + 60_000) }])
  })

  test('that fails for days is removed', async () => {
    phone.behave(503)
    await server.deps.pool.query('UPDATE bank.push_subscription SET failures = 19')
    await deliver(ann)
    expect(await subscriptions(ann)).toEqual([])
  })
})

test.each([
  'http://push.example.com/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://8.8.8.8/x',
  'https://localhost/x',
  'https://push.example.com:8443/x',
  'https://user:word@push.example.com/x',
  'ftp://push.example.com/x',
  'file:///etc/passwd',
  'x',
])('a publicly reachable bank accepts no subscription at %s', async (endpoint) => {
  const { allows } = openPushSender(server.deps.config)
  expect(allows(endpoint)).toBe(false)
  const before = server.deps.push
  server.deps.push = openPushSender(server.deps.config)
  const answer = await ann.browser.post('/api/v1/push', { ...phone.subscription, endpoint })
  server.deps.push = before
  await expectRefusal(answer, 'request_invalid', 'endpoint')
  expect(await subscriptions(ann)).toEqual([])
})

test.each([
  ['127.0.0.1'],
  ['::1'],
  ['169.254.169.254'],
  ['10.0.0.1'],
  ['fd00::1'],
  ['::ffff:192.168.0.1'],
  ['64:ff9b::7f00:1'],
])('a name that resolves to %s gets no connection, and is removed', async (address) => {
  const family = address.includes(':') ? 6 : 4
  const onTheInternet = { address: '203.0.114.1', family: 4 }
  const sender = openPushSender(server.deps.config, {
    resolve: (_host, done) => done(null, [onTheInternet, { address, family }]),
  })
  const message = { id: '', title: '', body: '', path: '/', language: 'en', direction: 'ltr' } as const
  const subscription = { ...phone.subscription, endpoint: 'https://push.example.com/x' }
  expect(sender.allows(subscription.endpoint)).toBe(true)
  expect(await sender.send(subscription, message)).toEqual({ result: 'gone' })
})

test('names that do not resolve delay no passwords and no files', async () => {
  const requestedPaths: string[] = []
  const nameServer = createSocket('udp4', (question) => requestedPaths.push(question.toString('latin1')))
  nameServer.bind(0, '127.0.0.1')
  await once(nameServer, 'listening')
  const nameServers = [`127.0.0.1:${nameServer.address().port}`]
  const sender = openPushSender(server.deps.config, { nameServers, timeoutMs: 8_000 })
  const message = { id: '', title: '', body: '', path: '/', language: 'en', direction: 'ltr' } as const
  const sends = Array.from({ length: 8 }, (_, index) =>
    sender.send({ ...phone.subscription, endpoint: `https://silent${index}.example.com/x` }, message),
  )
  await expect.poll(() => new Set(requestedPaths.map((question) => /silent\d/.exec(question)?.[0])).size).toBe(8)
  let answeredCount = 0
  for (const pendingSend of sends) void pendingSend.then(() => (answeredCount += 1))
  await promisify(scrypt)('password', 'salt', 32)
  expect(answeredCount).toBe(0)
  for (const outcome of await Promise.all(sends)) expect(outcome).toEqual({ result: 'failed', retryAfterMs: null })
  nameServer.close()
})

test('push services that stall delay no other job', async () => {
  await jobs.stop()
  const before = server.deps.push
  const stalled: (() => void)[] = []
  server.deps.push = {
    ...before,
    send: () => new Promise((resolve) => void stalled.push(() => resolve({ result: 'taken', slowly: false }))),
  }
  let doneCount = 0
  const otherJob = defineJob({ name: 'test.other', payload: z.object({}), work: async () => void (doneCount += 1) })
  for (let count = 0; count < 12; count += 1) {
    const person = await server.person({ fullName: 'Ann Lee', email: `ann${round}-${count}@example.com` })
    await subscribe(person, service.browser())
    await sendNotice(person)
  }
  jobs = await startJobs(server.deps, [pushJob, otherJob])
  await expect.poll(() => stalled.length).toBeGreaterThan(3)
  await enqueue(server.deps.db, otherJob, {})
  await expect.poll(() => doneCount).toBe(1)
  await expect
    .poll(() => {
      for (const end of stalled.splice(0)) end()
      return server.deps.pool.query('SELECT FROM graphile_worker.jobs').then(({ rowCount }) => rowCount)
    })
    .toBe(0)
  await jobs.stop()
  server.deps.push = before
  jobs = await startJobs(server.deps, [pushJob])
})

test('a redirect is not followed', async () => {
  const other = service.browser()
  phone.behave((outgoing) => void outgoing.writeHead(307, { location: other.subscription.endpoint }).end())
  await subscribe(ann)
  await sendNotice(ann)
  await expect.poll(() => phone.messages).toHaveLength(1)
  await isQuiet()
  expect(other.messages).toEqual([])
})

test.each([
  ['p256dh', 'A'.repeat(87)],
  ['p256dh', `BA${'A'.repeat(85)}`],
  ['p256dh', 'x'],
  ['auth', 'x'],
  ['auth', '!'.repeat(22)],
])('invalid keys are refused: %s %s', async (name, key) => {
  const keys = { ...phone.subscription.keys, [name]: key }
  const answer = await ann.browser.post('/api/v1/push', { ...phone.subscription, keys })
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.code).toBe('request_invalid')
  expect(await subscriptions(ann)).toEqual([])
})

test('the bank’s key is the same on every server and after every start, and different with another secret', () => {
  const [firstKeys, secondKeys] = [vapidKeys(server.deps.config), vapidKeys(server.deps.config)]
  expect(secondKeys).toEqual(firstKeys)
  expect(isCurvePoint(firstKeys.publicKey)).toBe(true)
  expect(vapidKeys({ secret: 'another' }).publicKey).not.toBe(firstKeys.publicKey)
})

test('the bank can sign with any secret, for any first byte of its key', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => vapidKeys({ secret: `secret ${index}` }).privateKey)
  expect(keys.some((key) => key.startsWith('A'))).toBe(true)
  expect(new Set(keys.map((key) => Buffer.from(key, 'base64url').length))).toEqual(new Set([32]))
})

test('a thousand subscriptions leave ten browsers, and further ones are delayed', async () => {
  const statuses: number[] = []
  const browsers = await Promise.all(Array.from({ length: 20 }, () => elsewhere(ann)))
  for (let count = 0; count < 1_000; count += 1) {
    statuses.push((await subscribe(browsers[count] ?? ann, service.browser())).status)
  }
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]))
  expect(await subscriptions(ann)).toHaveLength(10)
})

test('many simultaneous subscriptions keep the limit of ten', async () => {
  const browsers = await Promise.all(Array.from({ length: 20 }, () => elsewhere(ann)))
  await Promise.all(browsers.map((browser) => subscribe(browser, service.browser())))
  expect(await subscriptions(ann)).toHaveLength(10)
})

test('a repeated subscription of one browser, even a simultaneous one, is stored once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => subscribe(ann)))
  expect(await subscriptions(ann)).toHaveLength(1)
  await sendNotice(ann)
  await expect.poll(() => phone.messages).toHaveLength(1)
  await isQuiet()
  expect(phone.messages).toHaveLength(1)
})

describe('a new address of the same browser', () => {
  const moved = () => ({ ...service.browser().subscription, replaced: phone.subscription.endpoint })
  const endpointsOf = async (person: TestPerson) =>
    (
      await server.deps.pool.query('SELECT endpoint FROM bank.push_subscription WHERE customer_id = $1', [
        person.customer.id,
      ])
    ).rows.map(({ endpoint }) => endpoint)
  beforeEach(() => subscribe(ann))

  test('replaces the previous one in the same session', async () => {
    const next = service.browser()
    await subscribe(ann, next)
    expect(await endpointsOf(ann)).toEqual([next.subscription.endpoint])
    await sendNotice(ann)
    await expect.poll(() => next.messages).toHaveLength(1)
    await isQuiet()
    expect(phone.messages).toHaveLength(0)
  })

  test('replaces the one that it names, also in a later session', async () => {
    const again = await elsewhere(ann)
    const next = moved()
    const answer = await again.browser.post('/api/v1/push/renewal', next)
    expect((await answer.json()).on).toBe(true)
    expect(await endpointsOf(ann)).toEqual([next.endpoint])
    const third = { ...service.browser().subscription, replaced: next.endpoint }
    expect((await (await elsewhere(ann)).browser.post('/api/v1/push', third)).status).toBe(200)
    expect(await endpointsOf(ann)).toEqual([third.endpoint])
  })

  test('does not continue another customer’s subscription', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bobby${round}@example.com` })
    const answer = await bob.browser.post('/api/v1/push/renewal', moved())
    expect((await answer.json()).on).toBe(false)
    expect([await endpointsOf(ann), await endpointsOf(bob)]).toEqual([[], []])
  })

  test('has to be one that the bank sends to', async () => {
    const next = { ...moved(), endpoint: 'https://127.0.0.1/x' }
    await expectRefusal(await ann.browser.post('/api/v1/push/renewal', next), 'request_invalid', 'endpoint')
    expect(await endpointsOf(ann)).toEqual([phone.subscription.endpoint])
  })
})

describe('a subscription of a shared browser', () => {
  let bob: TestPerson
  beforeEach(async () => {
    bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    await subscribe(ann)
  })

  const renew = async (person: TestPerson) =>
    (await (await person.browser.post('/api/v1/push/renewal', { endpoint: phone.subscription.endpoint })).json()).on

  test('moves to another customer who subscribes in it, and the first gets nothing there any more', async () => {
    await subscribe(bob)
    expect([await isOn(ann), await isOn(bob)]).toEqual([false, true])
    await sendNotice(ann)
    await sendNotice(bob, 7_77)
    await expect.poll(() => phone.messages).toHaveLength(1)
    await isQuiet()
    expect(phone.messages.map(({ body }) => body)).toEqual(['You received $7.77 from Bob May.'])
  })

  test('ends when another customer signs in', async () => {
    expect(await renew(bob)).toBe(false)
    expect(await subscriptions(ann)).toEqual([])
  })

  test('moves to a new session of the same customer', async () => {
    const cookie = await signInCookie(server.deps, ann.customer.id)
    const again = { ...ann, browser: server.browser(cookie) }
    expect(await isOn(again)).toBe(false)
    expect(await renew(again)).toBe(true)
    expect([await isOn(ann), await isOn(again)]).toEqual([false, true])
  })

  test('ends with Log Out, and when another device ends its session', async () => {
    await ann.browser.delete('/api/v1/session')
    expect(await subscriptions(ann)).toEqual([])
    await subscribe(bob)
    const other = server.browser(await signInCookie(server.deps, bob.customer.id))
    expect((await other.delete('/api/v1/sessions')).status).toBe(200)
    expect(await subscriptions(bob)).toEqual([])
  })

  test('outlives an expired session, and ends after two months without the app', async () => {
    await server.deps.pool.query('DELETE FROM bank.session WHERE customer_id = $1', [ann.customer.id])
    await sendNotice(ann)
    await expect.poll(() => phone.messages).toHaveLength(1)
    clock.set(new Date(START.getTime() + 61 * 86_400_000))
    await purgeNotices(server.deps)
    expect(await subscriptions(ann)).toEqual([])
  })

  test('can be switched off by hand', async () => {
    expect(await (await ann.browser.delete('/api/v1/push')).json()).toMatchObject({ on: false })
    await sendNotice(ann)
    await isQuiet()
    expect(phone.messages).toEqual([])
  })

  test('is deleted when its customer closes the account', async () => {
    expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
    expect(await subscriptions(ann)).toEqual([])
  })

  test('is in the customer’s download, without the address that would let others send to it', async () => {
    const text = await (await ann.browser.get('/api/v1/profile/export')).text()
    expect(JSON.parse(text).pushDevices).toEqual([
      { pushService: new URL(phone.subscription.endpoint).host, createdAt: START.toISOString() },
    ])
    expect(text).not.toContain(phone.subscription.endpoint)
  })
})
