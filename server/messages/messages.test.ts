import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { deliverText, purgeTexts, sendText } from '#server/messages/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { testDeps, type TestDeps, testClock } from '#server/test/bank.ts'

/** The time limit for a gateway that does not respond, in milliseconds. */
const TIMEOUT_MS = 1_000
const TOKEN = 'the-token-of-the-gateway'
const TO = '+447700900123'

type ReceivedRequest = { headers: IncomingMessage['headers']; body: string }

const clock = testClock()
const received: ReceivedRequest[] = []
let answer: (response: ServerResponse, request: IncomingMessage) => void
let opened: TestDeps
let customerId: string

const gateway = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => {
    body += piece.toString()
  })
  request.on('end', () => {
    received.push({ headers: request.headers, body })
    answer(response, request)
  })
})

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  opened = await testDeps({
    clock,
    config: { mode: 'live', smsUrl: `http://127.0.0.1:${port}/texts`, smsToken: TOKEN },
  })
  customerId = (await createCustomer(opened.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })).id
})
afterAll(async () => {
  gateway.close()
  gateway.closeAllConnections()
  await opened.close()
})
beforeEach(() => {
  received.length = 0
})

const rowOf = async (id: string) =>
  (await opened.deps.pool.query('SELECT params, sent_at FROM bank.text_message WHERE id = $1', [id])).rows[0]

/** Stores a text and returns the payload of its job. */
async function storeText(expiresAt = new Date(clock.realNow().getTime() + 600_000)): Promise<{ textId: string }> {
  const text = { to: TO, kind: 'phone_code', params: { code: '314159' }, customerId, expiresAt } as const
  await inTransaction(opened.deps.db, (trx) => sendText(opened.deps, trx, text))
  const { rows } = await opened.deps.pool.query('SELECT id FROM bank.text_message ORDER BY place DESC LIMIT 1')
  return { textId: rows[0].id }
}

const deliver = (job: { textId: string }) => deliverText(opened.deps, job, TIMEOUT_MS)

test('a text is sent to the gateway once, with its token, and deleted', async () => {
  answer = (response) => response.writeHead(202).end()
  const job = await storeText()
  const { rows } = await opened.deps.pool.query('SELECT params::text AS sealed FROM bank.text_message')
  expect(JSON.stringify(rows)).not.toContain('314159')
  await deliver(job)
  await deliver(job)
  expect(received).toHaveLength(1)
  expect(received[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'idempotency-key': job.textId })
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ to: TO, text: expect.stringContaining('314159') })
  expect(await rowOf(job.textId)).toEqual({ params: null, sent_at: clock.realNow() })
})

describe('a gateway that', () => {
  const ways: [string, typeof answer][] = [
    ['stalls', () => undefined],
    ['fails', (response) => response.writeHead(500).end('no')],
    ['redirects to another host', (response) => response.writeHead(302, { location: '/other' }).end()],
    ['does not respond in HTTP', (response) => response.socket?.end('lies\r\n\r\n')],
    ['disconnects', (response) => response.socket?.destroy()],
  ]
  test.each(ways)('%s leaves the text for the next attempt, and no redirect is followed', async (_, way) => {
    answer = way
    const job = await storeText()
    const startedAt = performance.now()
    const failed: unknown = await deliver(job).catch((error: unknown) => error)
    expect(performance.now() - startedAt).toBeLessThan(4_500)
    expect(String(failed)).toMatch(/^Error: The text was not accepted: /)
    expect(String(failed)).not.toMatch(/\+44|314159|127\.0\.0\.1/)
    expect(await rowOf(job.textId)).toEqual({ params: expect.anything(), sent_at: null })
    expect(received).toHaveLength(1)
    answer = (response) => response.writeHead(200).end()
    await deliver(job)
    expect((await rowOf(job.textId)).sent_at).not.toBeNull()
  })

  test('accepts a text and never ends its response counts as successful', async () => {
    answer = (response) => response.writeHead(200).write('x')
    const job = await storeText()
    await deliver(job)
    expect((await rowOf(job.textId)).sent_at).not.toBeNull()
  })
})

test('an expired text is not sent, and is removed a week later', async () => {
  answer = (response) => response.writeHead(200).end()
  const job = await storeText(clock.realNow())
  await deliver(job)
  expect(received).toEqual([])
  expect(await rowOf(job.textId)).toEqual({ params: null, sent_at: null })
  expect(await purgeTexts(opened.deps)).toBe(0)
  clock.set(new Date(clock.realNow().getTime() + 7 * 24 * 60 * 60_000))
  expect(await purgeTexts(opened.deps)).toBe(1)
  expect(await rowOf(job.textId)).toBeUndefined()
})
