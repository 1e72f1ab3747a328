import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createApi, type ApiOptions } from '#server/api.ts'
import { createHttpServer } from '#server/http/listen.ts'
import { createCustomer } from '#server/identity/customers.ts'
import { testBank, type TestBank, type TestBankOptions } from '#server/test/bank.ts'

export type TestServer = TestBank & {
  url: string
  /** A browser of its own: nobody is signed in yet. */
  browser(): Browser
  /** A browser whose visitor has a customer. */
  visitor(): Promise<Browser>
}

type Asked = {
  /** The Idempotency-Key; a fresh one unless told, none at all for null. */
  key?: string | null
  /** Added to what a browser sends; undefined takes a header away. */
  headers?: Record<string, string | undefined>
}

/** Asks as the bank's own page does: with its Origin, JSON bodies, and the cookies it was given. */
export type Browser = {
  get(path: string, asked?: Asked): Promise<Response>
  post(path: string, body?: unknown, asked?: Asked): Promise<Response>
  delete(path: string, asked?: Asked): Promise<Response>
  /** Any method with any body, such as no page would send. */
  send(method: string, path: string, text?: string, asked?: Asked): Promise<Response>
  /** The cookies as the browser sends them. */
  cookie(): string
}

/** A real bank over real HTTP, on a database and a port of its own. The caller closes it. */
export async function testServer(options: TestBankOptions & Partial<ApiOptions> = {}): Promise<TestServer> {
  const opened = await testBank(options)
  const { bank } = opened
  const api = createApi(bank, { openSampleCustomer: openPlainCustomer, ...options })
  const server = createHttpServer(bank, api).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = (): Browser => openBrowser(url, bank.config.origin ?? url)
  return {
    ...opened,
    url,
    browser,
    visitor: async () => {
      const visitor = browser()
      await visitor.post('/api/v1/session/visit')
      return visitor
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await opened.close()
    },
  }
}

/** Stands in for the sample story, which most tests do not need. */
const openPlainCustomer: ApiOptions['openSampleCustomer'] = (bank) =>
  createCustomer(bank, { fullName: 'Vera Visitor', email: `visitor.${randomUUID()}@example.com` })

function openBrowser(url: string, origin: string): Browser {
  const cookies = new Map<string, string>()
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send: Browser['send'] = async (method, path, text, { key, headers } = {}) => {
    const all = {
      origin,
      'content-type': text === undefined ? undefined : 'application/json',
      'idempotency-key': method !== 'POST' || key === null ? undefined : (key ?? randomUUID()),
      cookie: cookie() || undefined,
      ...headers,
    }
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await fetch(url + path, { method, headers: sent, ...(text === undefined ? {} : { body: text }) })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return answer
  }
  return {
    get: (path, asked) => send('GET', path, undefined, asked),
    post: (path, body, asked) => send('POST', path, JSON.stringify(body), asked),
    delete: (path, asked) => send('DELETE', path, undefined, asked),
    send,
    cookie,
  }
}

/** Keeps a cookie as a browser does, and drops one that the server takes back. */
function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}
