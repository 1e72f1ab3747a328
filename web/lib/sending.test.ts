import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anonymousApi, unwrap, withIdempotencyKey } from '#web/lib/api.ts'
import { type Phase, sendUntilAnswered, Stopped } from '#web/lib/sending.ts'

const NEWCOMER = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07700900123', password: 'copper kettle' }
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })

let respond: () => Promise<Response>
let sent: number
let phases: Phase[]
let cancel: AbortController
let leave: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  page.visibilityState = 'visible'
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', (input: string) => {
    if (input === '/healthz') return Promise.resolve(Response.json({ status: 'alive' }))
    sent += 1
    return respond()
  })
  onlineManager.setOnline(true)
  respond = lost
  sent = 0
  phases = []
  cancel = new AbortController()
  leave = new AbortController()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const lost = (): Promise<Response> => Promise.reject(new TypeError('connection lost'))
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function begin({ sentBefore = false } = {}): Promise<unknown> {
  const send = () => unwrap(anonymousApi.customers.$post({ json: NEWCOMER }, withIdempotencyKey('one')))
  const options = {
    cancel: cancel.signal,
    leave: leave.signal,
    onPhase: (phase: Phase) => phases.push(phase),
    sentBefore,
  }
  return sendUntilAnswered(send, options).catch((error: unknown) => error)
}

test('nothing is sent while there is no line, and cancelling then is certain', async () => {
  onlineManager.setOnline(false)
  const outcome = begin()
  await pass(60_000)
  expect([sent, phases]).toEqual([0, ['no_line']])
  cancel.abort()
  expect(await outcome).toEqual(new Stopped(false))
})

test('what got no response is sent again until it is answered, or cancelled without being certain', async () => {
  const outcome = begin()
  await pass(10_000)
  expect(sent).toBeGreaterThan(2)
  expect(phases).toContain('retrying')
  cancel.abort()
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('who has left the screen sends nothing any more', async () => {
  const outcome = begin()
  leave.abort()
  await pass(60_000)
  expect(sent).toBe(1)
  expect(await outcome).toBeInstanceOf(Stopped)
})

test.each([
  ['goes on for who is back soon', 30_000, (count: number) => count > 1],
  ['is over for who comes back much later', 600_000, (count: number) => count === 1],
])('a page that is hidden sends nothing, and %s', async (_what, awayMs, isRight) => {
  const outcome = begin()
  await pass(0)
  page.visibilityState = 'hidden'
  await pass(awayMs)
  expect(sent).toBe(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await pass(20_000)
  expect(isRight(sent)).toBe(true)
  cancel.abort()
  expect(await outcome).toBeInstanceOf(Stopped)
})

test('a refusal after a try without an answer says nothing of that try', async () => {
  const outcome = begin()
  await pass(500)
  respond = async () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
  await pass(10_000)
  expect(await outcome).toMatchObject({ maybeArrived: true, refusal: { code: 'too_many_requests' } })
})

test('a refusal of the first try is the answer', async () => {
  respond = async () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
  expect(await begin()).toMatchObject({ code: 'too_many_requests' })
})

test('a response that breaks off is no answer', async () => {
  respond = async () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new TypeError('connection lost')),
      }),
    )
  const outcome = begin()
  await pass(2_000)
  expect(sent).toBeGreaterThan(1)
  cancel.abort()
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('what was sent before may have arrived, though there is no line now', async () => {
  onlineManager.setOnline(false)
  const outcome = begin({ sentBefore: true })
  await pass(1_000)
  cancel.abort()
  expect(sent).toBe(0)
  expect(await outcome).toMatchObject({ maybeArrived: true })
})

test('a bank that fails by itself is asked three times more', async () => {
  respond = async () => Response.json({ error: { code: 'unavailable' } }, { status: 503 })
  const outcome = begin()
  await pass(60_000)
  expect(sent).toBe(4)
  expect(await outcome).toMatchObject({ maybeArrived: true, refusal: { code: 'unavailable' } })
})
