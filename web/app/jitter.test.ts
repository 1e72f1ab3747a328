import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#web/app/query-client.ts'
import { Refusal } from '#contract/errors.ts'
import { checkConnection, noteResponse } from '#web/lib/connection.ts'
import { sendUntilAnswered } from '#web/lib/send-until-answered.ts'
import { anonymousApi, unwrap, withIdempotencyKey } from '#web/lib/api.ts'

/**
 * Five pages that fail at the same moment, each with its own random numbers. Every automatic reconnection must spread them;
 * without jitter, all of them would reconnect at the same moment.
 */
const LUCK = [0.05, 0.25, 0.45, 0.65, 0.85]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => {
  noteResponse()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** An automatic action of a page, and the requests that show it. */
type AutomaticRequest = { begin: () => void; path: RegExp }

const NEWCOMER = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07700900123', password: 'copper kettle' }

const ways: Record<string, AutomaticRequest> = {
  'a query': {
    path: /query/,
    begin: () => {
      const options = {
        queryKey: [Math.random(), Date.now()],
        queryFn: () => fetch('/query').then(() => Promise.reject(new Refusal('unavailable'))),
      }
      new QueryObserver(createQueryClient(), options).subscribe(() => {})
    },
  },
  'a mutation': {
    path: /customers/,
    begin: () => {
      const mutationFn = () => unwrap(anonymousApi.customers.$post({ json: NEWCOMER }, withIdempotencyKey('one')))
      void new MutationObserver(createQueryClient(), { mutationFn }).mutate().catch(() => {})
    },
  },
  'a form': {
    path: /customers/,
    begin: () => {
      const send = () => unwrap(anonymousApi.customers.$post({ json: NEWCOMER }, withIdempotencyKey('one')))
      const unabortedSignal = new AbortController().signal
      sendUntilAnswered(send, { cancel: unabortedSignal, leave: unabortedSignal, onPhase: () => {} }).catch(() => {})
    },
  },
  'the heartbeat': {
    path: /healthz/,
    begin: () => checkConnection(),
  },
}

test.each(Object.entries(ways))(
  '%s that fails in five pages at once is retried at five different times',
  async (_what, way) => {
    const retryDelays: number[] = []
    for (const luck of LUCK) {
      vi.spyOn(Math, 'random').mockReturnValue(luck)
      const times: number[] = []
      vi.stubGlobal('fetch', (input: string) => {
        if (way.path.test(input)) times.push(Date.now())
        if (input === '/healthz' && !way.path.test(input)) return Promise.resolve(Response.json({ status: 'alive' }))
        return Promise.resolve(Response.json({ error: { code: 'unavailable' } }, { status: 503 }))
      })
      const startedAt = Date.now()
      way.begin()
      await vi.advanceTimersByTimeAsync(20_000)
      const retryTime = times.find((time) => time > startedAt)
      retryDelays.push((retryTime ?? startedAt) - startedAt)
      noteResponse()
      vi.clearAllTimers()
    }
    expect(new Set(retryDelays).size, retryDelays.join(', ')).toBe(LUCK.length)
    expect(Math.max(...retryDelays) - Math.min(...retryDelays)).toBeGreaterThan(300)
  },
)
