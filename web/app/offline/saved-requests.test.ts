import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Me } from '#contract/identity.ts'
import { recoverRequests } from '#web/app/offline/recover-requests.ts'
import { openRequestKeeper, unfinishedRequests } from '#web/app/offline/saved-requests.ts'
import { noteInput } from '#web/identity/session/last-input.ts'
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { meQuery } from '#web/lib/me.ts'
import { onRequestKeeperWanted, type RequestKeeper, type UnfinishedRequest } from '#web/lib/request-keeper.ts'
import { showToasts } from '#web/lib/toast.ts'
import { markAnswered, keepUnfinishedRequest, idempotencyKeyFor, digestRequest } from '#web/lib/unconfirmed-requests.ts'

const person = (email: string): Me => ({
  customer: { fullName: 'Ann Lee', email, initials: 'AL', role: 'customer', emailConfirmed: true, language: null },
  mode: 'live',
  idleSeconds: 300,
})

let cookie: string
let entries: Map<string, Response>
let page: EventTarget & { visibilityState: string }
let toasts: string[]
/** The bank's answer for each key. */
let bank: (key: string) => Response | Promise<Response>
let canceledKeys: string[]
let stop = (): void => {}

const say = (text: string): void => void toasts.push(text)
// The toast library is set once for all tests.
showToasts({
  success: (text: string, { description }: { description: string }) => say(`sent: ${text}. ${description}`),
  info: (text: string) => say(`not sent: ${text}`),
  error: (text: string) => say(`error: ${text}`),
  loading: (text: string) => say(text),
  dismiss: () => {},
} as never)

beforeEach(() => {
  cookie = ''
  entries = new Map()
  toasts = []
  canceledKeys = []
  page = Object.defineProperty(Object.assign(new EventTarget(), { visibilityState: 'visible' }), 'cookie', {
    get: () => cookie,
    set: (text: string) => {
      cookie = /max-age=0/.test(text) ? '' : (text.split(';')[0] ?? '')
    },
  })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', { location: { pathname: '/transfer', search: '' } })
  vi.stubGlobal('location', { protocol: 'https:', port: '' })
  const url = (path: string) => `https://alder.example${path}`
  const cache = {
    match: async (path: string) => entries.get(path)?.clone(),
    put: async (path: string, response: Response) => void entries.set(path, response),
    delete: async (path: string) => entries.delete(path),
    keys: async () => [...entries.keys()].map((path) => ({ url: url(path) })),
  }
  vi.stubGlobal('caches', { open: async () => cache, delete: async () => entries.clear() })
  vi.stubGlobal('fetch', (input: string) => {
    const key = /requests\/(.+)\/cancel/.exec(input)?.[1]
    if (key === undefined) return Promise.resolve(Response.json({ status: 'alive' }))
    canceledKeys.push(key)
    return Promise.resolve(bank(key))
  })
  bank = () => Response.json({ carriedOut: true })
  noteInput()
})
afterEach(() => {
  stop()
  stop = () => {}
  onRequestKeeperWanted(async () => {
    throw new Error('no keeper')
  })
  vi.unstubAllGlobals()
})

function clientOf(email = 'ann@example.com'): QueryClient {
  const queries = new QueryClient()
  queries.setQueryData(meQuery.queryKey, person(email))
  return queries
}

const PAYMENT = { amountMinor: 1414, asset: 'USD', recipient: 'bob@example.com' }

const buildUnfinished = async (key: string): Promise<UnfinishedRequest> => ({
  key,
  request: await digestRequest(PAYMENT),
  texts: { sent: 'It was sent', notSent: 'It was not sent', view: '/transactions' },
})

/** Simulates a page that sends a payment and is closed before the answer. The browser releases its locks. */
async function leaveBehind(key: string, email?: string): Promise<void> {
  const keeper = openRequestKeeper(clientOf(email))
  await keeper.keep(await buildUnfinished(key))
  keeper.release(key)
}

/** Simulates a page that is opened now. */
function openPage(email?: string): { queries: QueryClient; keeper: RequestKeeper } {
  const queries = clientOf(email)
  const keeper = openRequestKeeper(queries)
  onRequestKeeperWanted(async () => keeper)
  return { queries, keeper }
}

const keys = async (queries: QueryClient) => (await unfinishedRequests(queries)).map(({ key }) => key)
const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 30))

describe('the key of an unfinished request', () => {
  test('is used again for the same content after a reload, and for no other', async () => {
    await leaveBehind('one')
    openPage()
    expect(await idempotencyKeyFor(await digestRequest(PAYMENT))).toEqual({ key: 'one', sentBefore: true })
    expect(await idempotencyKeyFor(await digestRequest({ ...PAYMENT, amountMinor: 1415 }))).toMatchObject({
      sentBefore: false,
    })
  })

  test('is stored encrypted, and the content of the request is not stored', async () => {
    await leaveBehind('one')
    const [entry] = entries.values()
    const text = await entry?.clone().text()
    expect(text).toBeTruthy()
    expect(text).not.toMatch(/bob|sent|request/)
  })

  test('is deleted after the bank has responded', async () => {
    const { queries } = openPage()
    const request = await buildUnfinished('one')
    await keepUnfinishedRequest(request)
    markAnswered(request)
    await expect.poll(() => keys(queries)).toEqual([])
    expect(entries.size).toBe(0)
    expect(await idempotencyKeyFor(request.request)).toMatchObject({ sentBefore: false })
  })

  test('belongs to another page while that page sends it: the same form in two tabs is two requests', async () => {
    const sendingKeeper = openRequestKeeper(clientOf())
    await sendingKeeper.keep(await buildUnfinished('one'))
    const { queries } = openPage()
    expect(await idempotencyKeyFor(await digestRequest(PAYMENT))).toMatchObject({ sentBefore: false })
    expect(await keys(queries)).toEqual([])
    sendingKeeper.release('one')
    await expect.poll(() => keys(queries)).toEqual(['one'])
  })

  test('is deleted with the customer, and not used for another one', async () => {
    await leaveBehind('one')
    expect(await keys(openPage('bob@example.com').queries)).toEqual([])
    clearOfflineCache()
    expect(await keys(openPage().queries)).toEqual([])
    expect(entries.size).toBe(0)
  })

  test('is not written for a customer who leaves meanwhile', async () => {
    const keeper = openRequestKeeper(clientOf())
    const saving = keeper.keep(await buildUnfinished('one'))
    await Promise.resolve()
    clearOfflineCache()
    await saving
    keeper.release('one')
    expect(entries.size).toBe(0)
  })

  test.each([
    ['no storage', () => vi.stubGlobal('caches', { open: () => Promise.reject(new Error('private')) })],
    ['no key for it', () => onRequestKeeperWanted(() => Promise.reject(new Error('offline')))],
  ])('does not prevent sending with %s', async (_what, breakIt) => {
    const { keeper } = openPage()
    breakIt()
    await keepUnfinishedRequest(await buildUnfinished('one'))
    keeper.release('one')
    expect(await idempotencyKeyFor(await digestRequest(PAYMENT))).toMatchObject({ sentBefore: false })
  })
})

describe('after the page was closed', () => {
  test.each([
    ['carried out', true, 'sent: It went through. It was sent'],
    ['not carried out', false, 'not sent: It was not sent'],
  ])('a request that was %s is announced, once, in one of the tabs', async (_what, carriedOut, toastText) => {
    bank = () => Response.json({ carriedOut })
    await leaveBehind('one')
    const { queries } = openPage()
    const stops = [recoverRequests(queries, () => {}), recoverRequests(clientOf(), () => {})]
    stop = () => stops.forEach((end) => end())
    await expect.poll(() => toasts).toContain(toastText)
    await waitBriefly()
    page.dispatchEvent(new Event('visibilitychange'))
    await waitBriefly()
    expect(toasts.filter((text) => text === toastText)).toHaveLength(1)
    expect(canceledKeys).toEqual(['one'])
    expect(entries.size).toBe(0)
  })

  test('an unknown outcome stays unknown, under its key, and is requested again', async () => {
    bank = () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
    await leaveBehind('one')
    const { queries } = openPage()
    stop = recoverRequests(queries, () => {})
    await expect.poll(() => toasts.join()).toContain('find out')
    expect(await idempotencyKeyFor(await digestRequest(PAYMENT))).toEqual({ key: 'one', sentBefore: true })
    bank = () => Response.json({ carriedOut: true })
    page.dispatchEvent(new Event('visibilitychange'))
    await expect.poll(() => toasts).toContain('sent: It went through. It was sent')
  })

  test('no outcome is requested while the page is hidden', async () => {
    await leaveBehind('one')
    page.visibilityState = 'hidden'
    const { queries } = openPage()
    stop = recoverRequests(queries, () => {})
    await waitBriefly()
    expect(canceledKeys).toEqual([])
  })
})
