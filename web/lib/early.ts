declare global {
  interface Window {
    /** What the page asked the bank before the app's code had come, by method and path (web/public/boot.js). */
    alderAsked?: Map<string, Promise<Response>>
  }
}

/** Later than this after the page was opened, its first responses are of another time. */
const FRESH_MS = 15_000

const VISIT = 'POST /api/v1/session/visit'

function asked(): Map<string, Promise<Response>> {
  const early = typeof window === 'undefined' ? undefined : window.alderAsked
  if (!early || performance.now() > FRESH_MS) return new Map()
  return early
}

/** A request by its method and path, as what the page has asked is noted. */
export function keyOf(input: RequestInfo | URL, method = 'GET'): string {
  // The base only completes a path; nothing is ever fetched from it.
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
  return `${method.toUpperCase()} ${pathname}${search}`
}

/** The response to a request that the page has sent already; each is taken over once. Null where there is none. */
export function takeEarly(input: RequestInfo | URL, method = 'GET'): Promise<Response> | null {
  const [early, key] = [asked(), keyOf(input, method)]
  const response = early.get(key) ?? null
  early.delete(key)
  return response
}

/** Resolves once the page's own visit, if it is making one, is over: until then there is no session to ask with. */
export async function earlyVisitOver(): Promise<void> {
  await asked()
    .get(VISIT)
    ?.catch(() => undefined)
}
