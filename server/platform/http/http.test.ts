import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_BODY } from '#server/platform/http/body.ts'
import { expectRefusal } from '#server/test/people.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

let server: TestServer
let visitor: Browser
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  server = await testServer({ logged })
  visitor = await server.visitor()
})
afterAll(() => server.close())

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s without an origin or from another site is refused',
  async (method) => {
    for (const headers of [
      { origin: undefined },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: server.url.replace('http:', 'https:') },
      { origin: server.url.replace(/\d+$/, '1') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      await expectRefusal(await visitor.send(method, '/api/v1/session', undefined, { headers }), 'origin_refused')
    }
    expect((await visitor.get('/api/v1/me')).status).toBe(200)
  },
)

test('a page of the bank is accepted', async () => {
  const answer = await visitor.post('/api/v1/session/visit', undefined, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status).toBe(200)
})

test('with a configured address, only that address is accepted', async () => {
  const secure = await testServer({ config: { origin: 'https://bank.example' } })
  const visit = await secure.browser().post('/api/v1/session/visit')
  expect(visit.status).toBe(200)
  expect(visit.headers.getSetCookie().toSorted()).toEqual([
    expect.stringMatching(/^__Host-alder-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(
      /^__Host-alder-visitor=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    expect.stringMatching(/^__Host-alder=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  expect(visit.headers.get('strict-transport-security')).toContain('max-age=63072000')
  const inside = await secure.browser().post('/api/v1/session/visit', undefined, { headers: { origin: secure.url } })
  await expectRefusal(inside, 'origin_refused')
  await secure.close()
})

test('HEAD has none of the side effects of GET', async () => {
  const countEvents = async () =>
    (await server.deps.pool.query('SELECT count(*) AS n FROM bank.security_event')).rows[0].n
  const before = await countEvents()
  for (const path of ['/me', '/profile/export', '/events']) {
    const answer = await visitor.send('HEAD', `/api/v1${path}`)
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 404, []])
  }
  expect(await countEvents()).toBe(before)
  expect(server.deps.streams.count()).toBe(0)
})

test('a body above 64 KiB is refused, with or without its length', async () => {
  const largeBody = `"${'x'.repeat(MAX_BODY)}"`
  await expectRefusal(await visitor.send('POST', '/api/v1/session/visit', largeBody), 'request_too_large')
  const endlessBody = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(16_384))),
  })
  const answer = await fetch(`${server.url}/api/v1/session/visit`, {
    method: 'POST',
    body: endlessBody,
    duplex: 'half',
    headers: { origin: server.url, 'content-type': 'application/json' },
  } as RequestInit)
  await expectRefusal(answer, 'request_too_large')
})

test('an unknown path of the API is not found, signed in or not', async () => {
  await expectRefusal(await visitor.get('/api/v1/nowhere'), 'not_found')
  await expectRefusal(await server.browser().get('/api/v1/nowhere'), 'not_found')
  await expectRefusal(await server.browser().get('/api/nowhere'), 'not_found')
  await expectRefusal(await visitor.post('/api/v1/me', {}), 'not_found')
  await expectRefusal(await visitor.get('/api/v1/%zz'), 'not_found')
})

test('an address that cannot be parsed is refused', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.end('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(socket, 'close')
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"code":"request_invalid"')
  expect(text.toLowerCase()).toContain('x-content-type-options: nosniff')
})

test('a client that disconnects while sending causes no error in the bank', async () => {
  const before = logged.length
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const headers = {
    Host: new URL(server.url).host,
    Origin: server.url,
    Cookie: visitor.cookie(),
    'Idempotency-Key': randomUUID(),
    'Content-Type': 'application/json',
    'Content-Length': 100,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /api/v1/transfers HTTP/1.1\r\n${lines.join('')}\r\n{`)
  await sleep(100)
  socket.destroy()
  const logLines = () => logged.slice(before).filter(({ route }) => route === '/api/v1/transfers')
  await expect.poll(logLines).toMatchObject([{ status: 400 }])
  expect(logged.slice(before).filter(({ level }) => Number(level) >= 50)).toEqual([])
})

test('every response has the security headers and a request id', async () => {
  const ids = new Set<string | null>()
  for (const path of ['/api/v1/me', '/api/v1/nowhere', '/healthz', '/nowhere.js', '/api/openapi.json']) {
    const { headers } = await visitor.get(path, { headers: { 'x-request-id': 'mine' } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'cache-control': path.endsWith('.json') ? 'no-cache' : 'no-store',
    })
    expect(headers.has('strict-transport-security')).toBe(false)
    ids.add(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(5)
  expect(ids).not.toContain('mine')
})

type RefusalResponse = { content?: Record<string, { schema: { properties: { error?: Code } } }> }
type Code = { properties: { code: { enum: string[] } } }
type Operation = { responses: object; requestBody?: { content: Record<string, { example?: unknown }> } }

test('the document is OpenAPI 3.1, and every operation lists its failures and its input', async () => {
  const document = await (await visitor.get('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((path) => Object.values(path))
  expect(operations.length).toBeGreaterThan(3)
  for (const { responses, requestBody } of operations) {
    expect(responses).toMatchObject({ 400: {}, 429: {}, '4XX': {}, '5XX': {} })
    const json = requestBody?.content['application/json']
    if (json) expect(json.example).toBeTypeOf('object')
  }
  const { responses } = document.paths['/api/v1/transfers'].post
  const codes = Object.entries<RefusalResponse>(responses).map(([status, { content }]) => [
    status,
    content?.['application/json']?.schema.properties.error?.properties.code.enum,
  ])
  expect(Object.fromEntries(codes)).toMatchObject({
    401: ['sign_in_required'],
    409: ['idempotency_key_reused'],
    422: expect.arrayContaining(['insufficient_funds', 'day_limit_reached', 'recipient_is_self']),
  })
  expect(document.components.responses.Trouble.content['application/json'].examples).toHaveProperty('unavailable')
})

test('the page that documents the API loads nothing from other hosts', async () => {
  const page = await visitor.get('/api/docs')
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'; /)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect(policy).not.toMatch(/https?:/)
  const etag = page.headers.get('etag') ?? ''
  const secondAnswer = await visitor.get('/api/docs', { headers: { 'if-none-match': etag } })
  expect(secondAnswer.status).toBe(304)
  expect(secondAnswer.headers.has('content-security-policy')).toBe(false)
  const addresses = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
  expect(addresses.length).toBeGreaterThan(2)
  for (const address of addresses) {
    expect(address).toMatch(/^\/api\/docs\//)
    expect((await visitor.get(address)).status).toBe(200)
  }
  await expectRefusal(await visitor.get('/api/docs/package.json'), 'not_found')
  await expectRefusal(await visitor.get('/api/docs/%2e%2e/package.json'), 'not_found')
})

test('logs contain routes, not personal data', async () => {
  logged.length = 0
  const { customer } = await (await visitor.get('/api/v1/me?q=private')).json()
  const line = logged.find((entry) => entry['msg'] === 'request')
  expect(line).toMatchObject({ method: 'GET', route: '/api/v1/me', status: 200, requestId: expect.any(String) })
  const secrets = ['private', customer.email, customer.fullName, visitor.cookie().split('=')[1]]
  for (const secret of secrets) expect(JSON.stringify(logged)).not.toContain(secret)
})
