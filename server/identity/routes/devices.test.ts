import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Device, SecurityEvent } from '#contract/identity.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import { createSession } from '#server/identity/sessions/sessions.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const clock = testClock()
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

/** Signs a person in on one more device. */
const another = async ({ customer }: TestPerson) => server.browser(await signInCookie(server.deps, customer.id))

async function devicesOf(browser: Browser): Promise<Device[]> {
  return ((await (await browser.get('/api/v1/sessions')).json()) as { devices: Device[] }).devices
}

async function idOf(browser: Browser): Promise<string> {
  return (await devicesOf(browser)).find(({ current }) => current)?.id ?? ''
}

const isSignedIn = async (browser: Browser) => (await browser.get('/api/v1/me')).status === 200

async function eventsOf({ browser }: TestPerson): Promise<string[]> {
  const { events } = (await (await browser.get('/api/v1/security-events')).json()) as { events: SecurityEvent[] }
  return events.map(({ kind }) => kind)
}

/** Returns all sessions and security events. */
async function everything() {
  const { rows } = await server.deps.pool.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(s) - 'last_used_at' ORDER BY id) FROM bank.session s) AS sessions,
            (SELECT count(*) FROM bank.security_event) AS events`,
  )
  return rows[0]
}

test('devices are listed by last use, without any secret', async () => {
  const startedAt = clock.realNow()
  clock.set(new Date(startedAt.getTime() + 60_000))
  const caller = { device: { browser: 'Safari', system: 'iPhone' }, networkZone: 'internet' } as const
  await createSession(server.deps, server.deps.db, { customerId: ann.customer.id, caller, method: 'passkey' })
  expect(await devicesOf(ann.browser)).toEqual([
    {
      id: expect.any(String),
      device: { browser: 'Safari', system: 'iPhone' },
      networkZone: 'internet',
      signedInAt: clock.realNow().toISOString(),
      lastUsedAt: clock.realNow().toISOString(),
      current: false,
    },
    {
      id: expect.any(String),
      device: { browser: 'Test browser', system: null },
      networkZone: 'this_computer',
      signedInAt: startedAt.toISOString(),
      lastUsedAt: startedAt.toISOString(),
      current: true,
    },
  ])
})

test('a device is signed out at once', async () => {
  const [phone, tablet] = [await another(ann), await another(ann)]
  expect((await ann.browser.delete(`/api/v1/sessions/${await idOf(phone)}`)).status).toBe(204)
  expect(await Promise.all([phone, tablet, ann.browser].map(isSignedIn))).toEqual([false, true, true])
  expect(await devicesOf(ann.browser)).toHaveLength(2)
  expect(await eventsOf(ann)).toEqual(['device_signed_out'])
})

test('signing out the present device signs out', async () => {
  const phone = await another(ann)
  const answer = await phone.delete(`/api/v1/sessions/${await idOf(phone)}`)
  expect(answer.status).toBe(204)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^alder-\w+=; Max-Age=0;/)
  expect(await isSignedIn(ann.browser)).toBe(true)
  expect(await eventsOf(ann)).toEqual(['signed_out'])
})

test('all other devices of the customer are signed out, and no others', async () => {
  const otherBrowsers = [await another(ann), await another(ann), await another(ann)]
  const answer = await ann.browser.delete('/api/v1/sessions')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ devices: [expect.objectContaining({ current: true })] })
  expect(await Promise.all([...otherBrowsers, ann.browser, bob.browser].map(isSignedIn))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
  expect(await eventsOf(ann)).toEqual(['other_devices_signed_out'])
  // No other session is left, so the request does nothing.
  await ann.browser.delete('/api/v1/sessions')
  expect(await eventsOf(ann)).toEqual(['other_devices_signed_out'])
  expect(await eventsOf(bob)).toEqual([])
})

test('a customer has at most a hundred sessions and known devices, and a new one replaces the oldest', async () => {
  const query = async (text: string) => (await server.deps.pool.query(text, [ann.customer.id])).rows
  const first = await another(ann)
  const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
  for (let count = 0; count < 110; count += 1) {
    clock.set(new Date(clock.realNow().getTime() + 1_000))
    await beginSession(
      server.deps,
      { caller, session: null, deviceToken: null },
      { customerId: ann.customer.id, method: 'password' },
    )
  }
  expect(await isSignedIn(first)).toBe(false)
  const latest = await another(ann)
  expect(await devicesOf(latest)).toHaveLength(100)
  const devices = await query('SELECT last_used_at FROM bank.known_device WHERE customer_id = $1 ORDER BY 1')
  expect(devices).toHaveLength(100)
  expect(devices.at(-1)?.last_used_at).toEqual(clock.realNow())
  expect(await isSignedIn(bob.browser)).toBe(true)
})

describe('an unknown device', () => {
  test.each([
    ['another customer’s device', () => idOf(bob.browser)],
    ['an unknown device', async () => randomUUID()],
    ['an invalid id', async () => 'x'],
    ['a statement', async () => encodeURIComponent("' OR true --")],
    [
      'a device that is already signed out',
      async () => {
        const id = await idOf(await another(ann))
        await server.deps.pool.query('DELETE FROM bank.session WHERE id = $1', [id])
        return id
      },
    ],
  ])('%s is not found, and the database is unchanged', async (_, name) => {
    const id = await name()
    const before = await everything()
    await expectRefusal(await ann.browser.delete(`/api/v1/sessions/${id}`), 'not_found')
    expect(await everything()).toEqual(before)
  })
})

test('the event stream of a signed-out device ends at once, and the others continue', async () => {
  const phone = await another(ann)
  const openStream = async (browser: Browser) => {
    const answer = await browser.get('/api/v1/events')
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const over = (async () => {
      while (!(await reader.read()).done);
      return 'over'
    })()
    return { over, leave: () => reader.cancel() }
  }
  const streams = { phone: await openStream(phone), own: await openStream(ann.browser) }
  // The change arrives well before the next heartbeat.
  const startedAt = performance.now()
  await ann.browser.delete(`/api/v1/sessions/${await idOf(phone)}`)
  expect(await streams.phone.over).toBe('over')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  await ann.browser.delete('/api/v1/session')
  expect(await streams.own.over).toBe('over')
})

describe('security events', () => {
  const signInWith = async (count: number) => {
    const caller = { device: { browser: 'Chrome', system: 'Android' }, networkZone: 'local_network' } as const
    for (let index = 0; index < count; index += 1)
      await recordSecurityEvent(server.deps, server.deps.db, {
        customerId: ann.customer.id,
        kind: index % 2 === 0 ? 'sign_in_failed' : 'signed_in_with_password',
        caller,
      })
  }
  const page = async (query: string) =>
    (await (await ann.browser.get(`/api/v1/security-events${query}`)).json()) as {
      events: SecurityEvent[]
      nextCursor: string | null
    }

  test('are read page by page, newest first, each once', async () => {
    await signInWith(7)
    const first = await page('?limit=3')
    expect(first.events[0]).toEqual({
      id: expect.any(String),
      kind: 'sign_in_failed',
      device: { browser: 'Chrome', system: 'Android' },
      networkZone: 'local_network',
      at: clock.realNow().toISOString(),
    })
    const second = await page(`?limit=3&cursor=${first.nextCursor}`)
    const third = await page(`?limit=3&cursor=${second.nextCursor}`)
    expect([first, second, third].map(({ events }) => events.length)).toEqual([3, 3, 1])
    expect(third.nextCursor).toBeNull()
    const ids = [first, second, third].flatMap(({ events }) => events.map(({ id }) => Number(id)))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(7)
    expect(await page('')).toMatchObject({ nextCursor: null })
  })

  test('belong to the customer, also with another customer’s cursor', async () => {
    await signInWith(2)
    const { events } = await page('')
    const cursor = String(Number(events[0]?.id) + 1)
    expect(await (await bob.browser.get(`/api/v1/security-events?cursor=${cursor}`)).json()).toEqual({
      events: [],
      nextCursor: null,
    })
  })

  test.each(['x', '0', '-1', '1.5', '1e3', '9007199254740993', '1;DROP TABLE bank.security_event', 'A'.repeat(201)])(
    'the cursor %j is refused',
    async (cursor) => {
      const answer = await ann.browser.get(`/api/v1/security-events?cursor=${encodeURIComponent(cursor)}`)
      await expectRefusal(answer, 'cursor_invalid', 'cursor')
    },
  )

  test.each(['0', '101', 'many'])('the limit %j is refused', async (limit) => {
    await expectRefusal(await ann.browser.get(`/api/v1/security-events?limit=${limit}`), 'request_invalid', 'limit')
  })
})
