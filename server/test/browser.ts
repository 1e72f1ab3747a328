import { randomUUID } from 'node:crypto'

type RequestOptions = {
  /** The Idempotency-Key of a POST. The default is a new key; null sends none. */
  key?: string | null
  /** Headers to add; undefined removes a header. */
  headers?: Record<string, string | undefined>
}

/** Sends requests as the bank's own page does: with its Origin, JSON bodies, and its cookies. */
export type Browser = {
  get(path: string, options?: RequestOptions): Promise<Response>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Response>
  delete(path: string, options?: RequestOptions): Promise<Response>
  /** Sends any method with any body, including requests that no page sends. */
  send(method: string, path: string, text?: string, options?: RequestOptions): Promise<Response>
  /** Returns the cookies as the browser sends them. */
  cookie(): string
}

/**
 * Opens a browser on a bank at its current address, which is also the default Origin. `initialCookie` is a cookie that the
 * browser already has.
 */
export function openBrowser(address: () => string, givenOrigin?: string, initialCookie?: string): Browser {
  const cookies = new Map<string, string>()
  if (initialCookie) keep(cookies, initialCookie)
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send: Browser['send'] = async (method, path, text, { key, headers } = {}) => {
    const allHeaders = {
      origin: givenOrigin ?? address(),
      'content-type': text === undefined ? undefined : 'application/json',
      'idempotency-key': method !== 'POST' || key === null ? undefined : (key ?? randomUUID()),
      cookie: cookie() || undefined,
      ...headers,
    }
    const sentHeaders = Object.entries(allHeaders).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await fetch(address() + path, {
      method,
      headers: sentHeaders,
      ...(text === undefined ? {} : { body: text }),
    })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return answer
  }
  return {
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, JSON.stringify(body), options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    send,
    cookie,
  }
}

/** Stores a cookie as a browser does, and deletes one that the server expires. */
function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}
