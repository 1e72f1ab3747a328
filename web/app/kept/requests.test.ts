import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Me } from '#contract/identity.ts'
import { recover } from '#web/app/kept/recover.ts'
import { openRequestKeeper, unfinishedRequests } from '#web/app/kept/requests.ts'
import { noteInput } from '#web/identity/session/last-input.ts'
import { dropKept } from '#web/lib/kept.ts'
import { meQuery } from '#web/lib/me.ts'
import { onRequestKeeperWanted, type RequestKeeper, type Unfinished } from '#web/lib/request-keeper.ts'
import { showToasts } from '#web/lib/toast.ts'
import { answered, keepUnfinished, keyFor, requestOf } from '#web/lib/unsettled.ts'

const person = (email: string): Me => ({
  customer: { fullName: 'Ann Lee', email, initials: 'AL', role: 'customer', emailConfirmed: true, language: null },
  mode: 'live',
  idleSeconds: 300,
})

let cookie: string
let entries: Map<string, Response>
let page: EventTarget & { visibilityState: string }
let said: string[]
/** What the bank says of each key it is asked about. */
let bank: (key: string) => Response | Promise<Response>
let asked: string[]
let stop = (): void => {}

const say = (text: string): void => void said.push(text)
// The library is handed over once for all tests.
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
  said = []
  asked = []
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
    asked.push(key)
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

const unfinished = async (key: string): Promise<Unfinished> => ({
  key,
  request: await requestOf(PAYMENT),
  texts: { sent: 'It was sent', notSent: 'It was not sent', view: '/transactions' },
})

/** A page that sends a payment and is closed before it is answered: the browser releases what it held. */
async function leaveBehind(key: string, email?: string): Promise<void> {
  const keeper = openRequestKeeper(clientOf(email))
  await keeper.keep(await unfinished(key))
  keeper.release(key)
}

/** A page that is opened now. */
function openPage(email?: string): { queries: QueryClient; keeper: RequestKeeper } {
  const queries = clientOf(email)
  const keeper = openRequestKeeper(queries)
  onRequestKeeperWanted(async () => keeper)
  return { queries, keeper }
}

const keys = async (queries: QueryClient) => (await unfinishedRequests(queries)).map(({ key }) => key)
const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

describe('the key of an unfinished request', () => {
  test('is used again for the same content after the page was loaded anew, and for no other', async () => {
    await leaveBehind('one')
    openPage()
    expect(await keyFor(await requestOf(PAYMENT))).toEqual({ key: 'one', sentBefore: true })
    expect(await keyFor(await requestOf({ ...PAYMENT, amountMinor: 1415 }))).toMatchObject({ sentBefore: false })
  })

  test('is kept encrypted, and what was sent is not kept', async () => {
    await leaveBehind('one')
    const [entry] = entries.values()
    const text = await entry?.clone().text()
    expect(text).toBeTruthy()
    expect(text).not.toMatch(/bob|sent|request/)
  })

  test('is forgotten once the bank has answered', async () => {
    const { queries } = openPage()
    const one = await unfinished('one')
    await keepUnfinished(one)
    answered(one)
    await expect.poll(() => keys(queries)).toEqual([])
    expect(entries.size).toBe(0)
    expect(await keyFor(one.request)).toMatchObject({ sentBefore: false })
  })

  test('is another page’s for as long as that page sends it: the same form in two tabs is two requests', async () => {
    const sending = openRequestKeeper(clientOf())
    await sending.keep(await unfinished('one'))
    const { queries } = openPage()
    expect(await keyFor(await requestOf(PAYMENT))).toMatchObject({ sentBefore: false })
    expect(await keys(queries)).toEqual([])
    sending.release('one')
    await expect.poll(() => keys(queries)).toEqual(['one'])
  })

  test('is forgotten with the customer, and nothing for another one', async () => {
    await leaveBehind('one')
    expect(await keys(openPage('bob@example.com').queries)).toEqual([])
    dropKept()
    expect(await keys(openPage().queries)).toEqual([])
    expect(entries.size).toBe(0)
  })

  test('is not written for a customer who leaves meanwhile', async () => {
    const keeper = openRequestKeeper(clientOf())
    const kept = keeper.keep(await unfinished('one'))
    await Promise.resolve()
    dropKept()
    await kept
    keeper.release('one')
    expect(entries.size).toBe(0)
  })

  test.each([
    ['no storage', () => vi.stubGlobal('caches', { open: () => Promise.reject(new Error('private')) })],
    ['no code for it', () => onRequestKeeperWanted(() => Promise.reject(new Error('offline')))],
  ])('does not hold up sending where there is %s', async (_what, breakIt) => {
    const { keeper } = openPage()
    breakIt()
    await keepUnfinished(await unfinished('one'))
    keeper.release('one')
    expect(await keyFor(await requestOf(PAYMENT))).toMatchObject({ sentBefore: false })
  })
})

describe('after the page was closed', () => {
  test.each([
    ['carried out', true, 'sent: It went through. It was sent'],
    ['not carried out', false, 'not sent: It was not sent'],
  ])('a request that was %s is told, once, in one of the tabs', async (_what, carriedOut, told) => {
    bank = () => Response.json({ carriedOut })
    await leaveBehind('one')
    const { queries } = openPage()
    const stops = [recover(queries, () => {}), recover(clientOf(), () => {})]
    stop = () => stops.forEach((end) => end())
    await expect.poll(() => said).toContain(told)
    await settled()
    page.dispatchEvent(new Event('visibilitychange'))
    await settled()
    expect(said.filter((text) => text === told)).toHaveLength(1)
    expect(asked).toEqual(['one'])
    expect(entries.size).toBe(0)
  })

  test('what the bank does not say stays unknown, under its key, and is asked about again', async () => {
    bank = () => Response.json({ error: { code: 'too_many_requests' } }, { status: 429 })
    await leaveBehind('one')
    const { queries } = openPage()
    stop = recover(queries, () => {})
    await expect.poll(() => said.join()).toContain('find out')
    expect(await keyFor(await requestOf(PAYMENT))).toEqual({ key: 'one', sentBefore: true })
    bank = () => Response.json({ carriedOut: true })
    page.dispatchEvent(new Event('visibilitychange'))
    await expect.poll(() => said).toContain('sent: It went through. It was sent')
  })

  test('nothing is asked where nobody looks', async () => {
    await leaveBehind('one')
    page.visibilityState = 'hidden'
    const { queries } = openPage()
    stop = recover(queries, () => {})
    await settled()
    expect(asked).toEqual([])
  })
})
