declare global {
  interface Window {
    /** The requests that the page sent before the app's code had loaded, by method and path (web/public/boot.js). */
    alderAsked?: Map<string, Promise<Response>>
  }
}

/** The maximum age of the page for which its early responses are still used. */
const FRESH_MS = 15_000

const VISIT = 'POST /api/v1/session/visit'

function readPrefetched(): Map<string, Promise<Response>> {
  const prefetched = typeof window === 'undefined' ? undefined : window.alderAsked
  if (!prefetched || performance.now() > FRESH_MS) return new Map()
  return prefetched
}

/** Returns the key of a request: its method and path, as in `alderAsked`. */
export function requestKey(input: RequestInfo | URL, method = 'GET'): string {
  // The base only completes a relative path; no request goes to it.
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
  return `${method.toUpperCase()} ${pathname}${search}`
}

/** Returns the response to a request that the page already sent, or null. Each response is used once. */
export function takePrefetched(input: RequestInfo | URL, method = 'GET'): Promise<Response> | null {
  const [prefetched, key] = [readPrefetched(), requestKey(input, method)]
  const response = prefetched.get(key) ?? null
  prefetched.delete(key)
  return response
}

/** Resolves when the page's own visit, if there is one, is finished. Before that there is no session for requests. */
export async function waitForPrefetchedVisit(): Promise<void> {
  await readPrefetched()
    .get(VISIT)
    ?.catch(() => undefined)
}
