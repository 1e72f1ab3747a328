import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anonymousApi, unwrap, withIdempotencyKey } from '#web/lib/api.ts'
import { type SendingPhase, sendUntilAnswered, SendingStopped } from '#web/lib/send-until-answered.ts'

const NEWCOMER = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07700900123', password: 'copper kettle' }
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })

let respond: () => Promise<Response>
let sentCount: number
let phases: SendingPhase[]
let cancel: AbortController
let leave: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  page.visibilityState = 'visible'
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', (input: string) => {
    if (input === '/healthz') return Promise.resolve(Response.json({ status: 'alive' }))
    sentCount += 1
    return respond()
  })
  onlineManager.setOnline(true)
  respond = loseConnection
  sentCount = 0
  phases = []
  cancel = new AbortController()
  leave = new AbortController()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const loseConnection = (): Promise<Response> => Promise.reject(new TypeError('connection lost'))
const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function begin({ sentBefore = false } = {}): Promise<unknown> {
  const send = () => unwrap(anonymousApi.customers.$post({ json: NEWCOMER }, withIdempotencyKey('one')))
  const options = {
    cancel: cancel.signal,
    leave: leave.signal,
    onPhase: (phase: SendingPhase) => phases.push(phase),
    sentBefore,
  }
  return sendUntilAnswered(send, options).catch((error: unknown) => error)
}

test('no request is sent offline, and a cancellation is then certain', async () => {
  onlineManager.setOnline(false)
  const outcome = begin()
  await passTime(60_000)
  expect([sentCount, phases]).toEqual([0, ['no_line']])
  cancel.abort()
  expect(await outcome).toEqual(new SendingStopped(false))
})

test('a request without a response is repeated until it is answered, or canceled with an unknown outcome', async () => {
  const outcome = begin()
  await passTime(10_000)
  expect(sentCount).toBeGreaterThan(2)
  expect(phases).toContain('retrying')
  cancel.abort()
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('a screen that was left sends no more requests', async () => {
  const outcome = begin()
  leave.abort()
  await passTime(60_000)
  expect(sentCount).toBe(1)
  expect(await outcome).toBeInstanceOf(SendingStopped)
})

test.each([
  ['continues if the user is back soon', 30_000, (count: number) => count > 1],
  ['ends if the user comes back much later', 600_000, (count: number) => count === 1],
])('a hidden page sends nothing, and %s', async (_what, awayMs, isRight) => {
  const outcome = begin()
  await passTime(0)
  page.visibilityState = 'hidden'
  await passTime(awayMs)
  expect(sentCount).toBe(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await passTime(20_000)
  expect(isRight(sentCount)).toBe(true)
  cancel.abort()
  expect(await outcome).toBeInstanceOf(SendingStopped)
})

test('a refusal after an unanswered attempt does not reveal the outcome of that attempt', async () => {
  const outcome = begin()
  await passTime(500)
  respond = async () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
  await passTime(10_000)
  expect(await outcome).toMatchObject({ maybeArrived: true, refusal: { code: 'too_many_requests' } })
})

test('a refusal of the first attempt is the outcome', async () => {
  respond = async () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
  expect(await begin()).toMatchObject({ code: 'too_many_requests' })
})

test('an interrupted response does not count as an answer', async () => {
  respond = async () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new TypeError('connection lost')),
      }),
    )
  const outcome = begin()
  await passTime(2_000)
  expect(sentCount).toBeGreaterThan(1)
  cancel.abort()
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('an earlier attempt may have arrived, even if the connection is now lost', async () => {
  onlineManager.setOnline(false)
  const outcome = begin({ sentBefore: true })
  await passTime(1_000)
  cancel.abort()
  expect(sentCount).toBe(0)
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('a bank that fails is sent three more attempts', async () => {
  respond = async () => Response.json({ error: { code: 'unavailable' } }, { status: 503 })
  const outcome = begin()
  await passTime(60_000)
  expect(sentCount).toBe(4)
  expect(await outcome).toMatchObject({ maybeArrived: true, refusal: { code: 'unavailable' } })
})
