import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#web/app/query-client.ts'
import { refetchNow } from '#web/lib/refetch.ts'
import { anonymousApi, api, unwrap, withIdempotencyKey } from '#web/lib/api.ts'

const CUSTOMER = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07700900123', password: 'copper kettle' }
const TOP_UP = { amountMinor: 2500, asset: 'USD', method: 'card' } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Simulates a network that loses every response. Returns the keys of the sent requests. */
function loseResponses(fail: () => Response | Promise<never>): (string | null)[] {
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    // After a lost response, the app also checks the connection; that request does not count.
    if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'))
    return fail()
  })
  return keys
}

async function mutate(mutationFn: () => Promise<unknown>): Promise<unknown> {
  const observer = new MutationObserver(createQueryClient(), { mutationFn })
  const outcome = observer.mutate().catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return outcome
}

const failures = {
  'no response comes': () => Promise.reject(new TypeError('connection lost')),
  'the server fails': () => Response.json({ error: { code: 'unavailable' } }, { status: 503 }),
}

test.each(Object.entries(failures))('a mutation without a key is sent once if %s', async (_what, fail) => {
  const keys = loseResponses(fail)
  expect(await mutate(() => unwrap(anonymousApi.customers.$post({ json: CUSTOMER })))).toBeInstanceOf(Error)
  expect(await mutate(() => unwrap(api.kyc.submission.$post({ json: {} })))).toBeInstanceOf(Error)
  expect(new Set(keys).size, 'two requests, each sent once under a key of its own').toBe(2)
  expect(keys).toHaveLength(2)
})

test.each(Object.entries(failures))(
  'a mutation with a key is retried under the same key if %s',
  async (_what, fail) => {
    const keys = loseResponses(fail)
    await mutate(() => unwrap(api['top-ups'].$post({ json: TOP_UP }, withIdempotencyKey('one'))))
    expect(keys).toEqual(['one', 'one', 'one', 'one'])
  },
)

test('a request that the server has refused is not retried', async () => {
  const keys = loseResponses(() => Response.json({ error: { code: 'insufficient_funds' } }, { status: 422 }))
  await mutate(() => unwrap(api['top-ups'].$post({ json: TOP_UP }, withIdempotencyKey('one'))))
  expect(keys).toEqual(['one'])
})

test('requests to an overloaded bank are retried no sooner than it allows, and not all at the same moment', async () => {
  const requestTimes = async (chance: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    const startedAt = Date.now()
    const times: number[] = []
    vi.stubGlobal('fetch', async (input: string) => {
      if (input.includes('dashboard')) times.push(Date.now() - startedAt)
      const headers = { 'retry-after': '2' }
      return Response.json({ error: { code: 'unavailable' } }, { status: 503, headers })
    })
    const queryFn = () => unwrap(api.dashboard.$get())
    const outcome = createQueryClient()
      .fetchQuery({ queryKey: ['dashboard'], queryFn, retry: 3 })
      .catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    expect(await outcome).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
    vi.restoreAllMocks()
    return times
  }
  expect(await requestTimes(0)).toEqual([0, 2_000, 4_000, 8_000])
  expect(await requestTimes(0.5)).toEqual([0, 2_500, 5_000, 10_000])
})

/** Simulates a screen with a balance. The bank answers after one second, with the balance at the time of the request. */
function showBalance(queries = createQueryClient()) {
  const bank = { balance: 1 }
  let requestCount = 0
  const query = {
    queryKey: ['balance'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      requestCount += 1
      const { balance } = bank
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      signal.throwIfAborted()
      return balance
    },
  }
  const screen = new QueryObserver(queries, query)
  const close = screen.subscribe(() => undefined)
  const readBalance = async () => {
    await vi.runAllTimersAsync()
    return screen.getCurrentResult().data
  }
  return { queries, bank, query, close, readBalance, requestCount: () => requestCount }
}

test('a change during the first load is shown', async () => {
  const { queries, bank, query, readBalance, requestCount } = showBalance()
  await vi.advanceTimersByTimeAsync(500)
  bank.balance = 2
  void queries.invalidateQueries({ queryKey: query.queryKey })
  expect(await readBalance()).toBe(2)
  expect(requestCount()).toBe(2)
})

test('a change during a reload is shown', async () => {
  const { queries, bank, query, readBalance, requestCount } = showBalance()
  expect(await readBalance()).toBe(1)
  const joinedFetch = queries.fetchQuery({ ...query, staleTime: 0 })
  bank.balance = 2
  const newFetch = refetchNow(queries, query)
  expect(await readBalance()).toBe(2)
  expect(await Promise.all([joinedFetch, newFetch])).toEqual([2, 2])
  expect(requestCount()).toBe(3)
})

test('a change during the first load, followed by a reload, is shown', async () => {
  const { queries, bank, query, readBalance, requestCount } = showBalance()
  await vi.advanceTimersByTimeAsync(500)
  bank.balance = 2
  const anew = refetchNow(queries, query)
  expect(await readBalance()).toBe(2)
  expect(await anew).toBe(2)
  expect(requestCount()).toBe(2)
})

test('data whose reload starts as its last screen closes is requested once more', async () => {
  const { queries, bank, query, close, readBalance, requestCount } = showBalance()
  expect(await readBalance()).toBe(1)
  bank.balance = 2
  const newFetch = refetchNow(queries, query)
  await vi.advanceTimersByTimeAsync(500)
  close()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await newFetch).toBe(2)
  expect(queries.getQueryData(query.queryKey)).toBe(2)
  expect(requestCount()).toBe(3)
})
