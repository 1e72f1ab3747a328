import { randomUUID } from 'node:crypto'

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

/**
 * Opens a browser on a bank, wherever it listens just then; its Origin is that address unless told. `given`: a cookie
 * that it has from the start.
 */
export function openBrowser(address: () => string, givenOrigin?: string, given?: string): Browser {
  const cookies = new Map<string, string>()
  if (given) keep(cookies, given)
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send: Browser['send'] = async (method, path, text, { key, headers } = {}) => {
    const all = {
      origin: givenOrigin ?? address(),
      'content-type': text === undefined ? undefined : 'application/json',
      'idempotency-key': method !== 'POST' || key === null ? undefined : (key ?? randomUUID()),
      cookie: cookie() || undefined,
      ...headers,
    }
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await fetch(address() + path, {
      method,
      headers: sent,
      ...(text === undefined ? {} : { body: text }),
    })
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
