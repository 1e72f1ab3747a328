import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#web/app/query-client.ts'
import { fetchAnew } from '#web/lib/fetch-anew.ts'
import { anonymousApi, api, unwrap, withIdempotencyKey } from '#web/lib/api.ts'

const CUSTOMER = { fullName: 'Ann Lee', email: 'ann@example.com', phone: '07700900123', password: 'copper kettle' }
const TOP_UP = { amountMinor: 2500, asset: 'USD', method: 'card' } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A network on which every response is lost; returns the keys of the requests that were sent. */
function loseResponses(fail: () => Response | Promise<never>): (string | null)[] {
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit = {}) => {
    // A lost response makes the app ask for a sign of life besides.
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

test.each(Object.entries(failures))('a mutation that was given no key is sent once if %s', async (_what, fail) => {
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

test('what the server has refused is not retried', async () => {
  const keys = loseResponses(() => Response.json({ error: { code: 'insufficient_funds' } }, { status: 422 }))
  await mutate(() => unwrap(api['top-ups'].$post({ json: TOP_UP }, withIdempotencyKey('one'))))
  expect(keys).toEqual(['one'])
})

test('a bank with too much to do is asked again no sooner than it wants, and not by all at the same moment', async () => {
  const askedAt = async (chance: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    const begun = Date.now()
    const times: number[] = []
    vi.stubGlobal('fetch', async (input: string) => {
      if (input.includes('dashboard')) times.push(Date.now() - begun)
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
  expect(await askedAt(0)).toEqual([0, 2_000, 4_000, 8_000])
  expect(await askedAt(0.5)).toEqual([0, 2_500, 5_000, 10_000])
})

/** A screen that shows a balance, which the bank answers in a second, as it was when it was asked. */
function showBalance(queries = createQueryClient()) {
  const bank = { balance: 1 }
  let asked = 0
  const query = {
    queryKey: ['balance'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      asked += 1
      const { balance } = bank
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      signal.throwIfAborted()
      return balance
    },
  }
  const screen = new QueryObserver(queries, query)
  const close = screen.subscribe(() => undefined)
  const shown = async () => {
    await vi.runAllTimersAsync()
    return screen.getCurrentResult().data
  }
  return { queries, bank, query, close, shown, asked: () => asked }
}

test('what changes while it is loaded for the first time is shown', async () => {
  const { queries, bank, query, shown, asked } = showBalance()
  await vi.advanceTimersByTimeAsync(500)
  bank.balance = 2
  void queries.invalidateQueries({ queryKey: query.queryKey })
  expect(await shown()).toBe(2)
  expect(asked()).toBe(2)
})

test('what changes while it is asked for again is shown', async () => {
  const { queries, bank, query, shown, asked } = showBalance()
  expect(await shown()).toBe(1)
  const joined = queries.fetchQuery({ ...query, staleTime: 0 })
  bank.balance = 2
  const anew = fetchAnew(queries, query)
  expect(await shown()).toBe(2)
  expect(await Promise.all([joined, anew])).toEqual([2, 2])
  expect(asked()).toBe(3)
})

test('what changes while it is loaded for the first time, and is asked for anew, is shown', async () => {
  const { queries, bank, query, shown, asked } = showBalance()
  await vi.advanceTimersByTimeAsync(500)
  bank.balance = 2
  const anew = fetchAnew(queries, query)
  expect(await shown()).toBe(2)
  expect(await anew).toBe(2)
  expect(asked()).toBe(2)
})

test('what is asked for anew when the last screen that shows it closes is asked for once more', async () => {
  const { queries, bank, query, close, shown, asked } = showBalance()
  expect(await shown()).toBe(1)
  bank.balance = 2
  const anew = fetchAnew(queries, query)
  await vi.advanceTimersByTimeAsync(500)
  close()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await anew).toBe(2)
  expect(queries.getQueryData(query.queryKey)).toBe(2)
  expect(asked()).toBe(3)
})
