import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#contract/identity.ts'
import { mergeQueries, restoreQueries, saveQueries } from '#web/app/offline/saved-queries.ts'
import { noteInput } from '#web/identity/session/last-input.ts'
import { clearOfflineCache, OFFLINE_DATED } from '#web/lib/offline-cache.ts'
import { meQuery } from '#web/lib/me.ts'

const NOW = Date.parse('2026-08-28T09:41:00Z')
const IDLE_SECONDS = 300

/** Simulates a browser's cookies, which expire, and its caches. */
function stubBrowser() {
  const cookies = new Map<string, { value: string; until: number }>()
  const entries = new Map<string, Response>()
  vi.stubGlobal('location', { protocol: 'https:', port: '' })
  vi.stubGlobal('document', {
    get cookie() {
      const alive = [...cookies].filter(([, { until }]) => until > Date.now())
      return alive.map(([name, { value }]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      const [, name = '', value = '', seconds] = /^([^=]+)=([^;]*); max-age=(\d+)/.exec(text) ?? []
      cookies.set(name, { value, until: Date.now() + Number(seconds) * 1000 })
    },
  })
  const cache = {
    match: async (path: string) => entries.get(path)?.clone(),
    put: async (path: string, response: Response) => void entries.set(path, response),
  }
  vi.stubGlobal('caches', { open: async () => cache, delete: async () => entries.clear() })
  vi.stubGlobal('navigator', { locks: { request: async (_name: string, work: () => Promise<void>) => work() } })
  return entries
}

let entries: Map<string, Response>

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  entries = stubBrowser()
  noteInput()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const person = (email: string): Me => ({
  customer: { fullName: 'Ann Lee', email, initials: 'AL', role: 'customer', emailConfirmed: true, language: null },
  mode: 'live',
  idleSeconds: IDLE_SECONDS,
})

/** Returns the queries of an open app: some figures of a customer, and a query that must not be cached. */
function appOf(email: string): QueryClient {
  const queries = new QueryClient()
  queries.setQueryData(meQuery.queryKey, person(email))
  queries
    .getQueryCache()
    .build(queries, { queryKey: ['dashboard'], meta: OFFLINE_DATED })
    .setData({ balance: 42 })
  queries
    .getQueryCache()
    .build(queries, { queryKey: ['recovery-codes'] })
    .setData(['secret'])
  return queries
}

async function reopenApp(queries = new QueryClient()): Promise<QueryClient> {
  await restoreQueries(queries)
  return queries
}

test('shown data is back after a restart of the app, if its query is marked to be saved', async () => {
  await saveQueries(appOf('ann@example.com'))
  const queries = await reopenApp()
  expect(queries.getQueryData(['dashboard'])).toEqual({ balance: 42 })
  expect(queries.getQueryState(['dashboard'])?.dataUpdatedAt).toBe(NOW)
  expect(queries.getQueryData(['recovery-codes'])).toBeUndefined()
})

test('the saved data is encrypted', async () => {
  await saveQueries(appOf('ann@example.com'))
  const text = await entries.get('/kept')?.clone().text()
  expect(text).toBeTruthy()
  expect(text).not.toContain('balance')
})

test('the saved data cannot be read after an idle session would have ended, with the app open or not', async () => {
  await saveQueries(appOf('ann@example.com'))
  vi.setSystemTime(NOW + (IDLE_SECONDS + 1) * 1000)
  expect((await reopenApp()).getQueryData(['dashboard'])).toBeUndefined()
  expect(entries.size, 'nor is it there any more').toBe(0)
})

test('the saved data is deleted with the customer, even while it is being written', async () => {
  const saving = saveQueries(appOf('ann@example.com'))
  clearOfflineCache()
  await saving
  expect((await reopenApp()).getQueryData(['dashboard'])).toBeUndefined()
})

test('another customer sees none of the saved data, and saves none with it', async () => {
  await saveQueries(appOf('ann@example.com'))
  const bob = new QueryClient()
  bob.setQueryData(meQuery.queryKey, person('bob@example.com'))
  await reopenApp(bob)
  expect(bob.getQueryData(['dashboard'])).toBeUndefined()
  await saveQueries(bob)
  expect((await reopenApp()).getQueryData(['dashboard'])).toBeUndefined()
})

test('newer data is not overwritten', async () => {
  await saveQueries(appOf('ann@example.com'))
  const queries = new QueryClient()
  queries.setQueryData(['dashboard'], { balance: 43 })
  expect((await reopenApp(queries)).getQueryData(['dashboard'])).toEqual({ balance: 43 })
})

test('there is room only for the newest data', () => {
  const query = (hash: string, updatedAt: number, size = 1) => ({
    key: [hash],
    hash,
    data: 'x'.repeat(size),
    updatedAt,
  })
  const manyQueries = Array.from({ length: 60 }, (_, index) => query(`q${index}`, NOW - index))
  expect(mergeQueries(manyQueries, [query('q5', NOW + 1)], NOW).map(({ hash }) => hash)).toEqual([
    'q5',
    ...manyQueries.slice(0, 40).flatMap(({ hash }) => (hash === 'q5' ? [] : [hash])),
  ])
  expect(mergeQueries([], [query('small', NOW), query('huge', NOW - 1, 600_000)], NOW)).toHaveLength(1)
  expect(mergeQueries([query('old', NOW - 13 * 3_600_000)], [], NOW)).toEqual([])
})
