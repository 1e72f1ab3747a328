import type { LiveEvent } from '#contract/events.ts'

/**
 * The cache on this device for times when the bank is out of reach (docs/decisions/0083). A query is cached only if its `meta`
 * requests it. `dated` data is shown with its time of arrival; `undated` data hardly ever changes.
 */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      kept?: 'dated' | 'undated'
      /**
       * The live events after which the query is refetched, because they may change its data. Every such event also refetches
       * the dashboard (web/app/live-updates.ts).
       */
      touchedBy?: readonly Exclude<LiveEvent['type'], 'replaced'>[]
    }
  }
}

/** The setting for figures and lists of the customer. It must not be used for secrets or for another person's data. */
export const OFFLINE_DATED = { kept: 'dated' } as const

/** The setting for data that hardly ever changes. It is shown without a time. */
export const OFFLINE_UNDATED = { kept: 'undated' } as const

const STORE = 'alder-kept'

const isSecure = (): boolean => location.protocol === 'https:'

/** The cookie name contains the port, because banks on different ports of localhost share cookies. */
const cookieName = (): string => (isSecure() ? '__Host-alder-kept' : `alder-kept-${location.port}`)

let drops = 0

/** Returns how often the cache was cleared. A write that began before a clearing is dropped. */
export const countCacheClears = (): number => drops

/** Returns the encryption key of the cache as text; null if there is none. */
export function readCacheKey(): string | null {
  const name = `${cookieName()}=`
  const cookie = document.cookie.split('; ').find((cookiePart) => cookiePart.startsWith(name))
  return cookie?.slice(name.length) || null
}

/**
 * Stores the key in a cookie. The browser deletes the cookie after `seconds` unless this is called again, even while the app is
 * closed.
 */
export function setCacheKey(key: string, seconds: number): void {
  // A cookie is the only storage that a browser deletes at a set time.
  document.cookie = `${cookieName()}=${key}; max-age=${Math.floor(seconds)}; path=/; samesite=strict${isSecure() ? '; secure' : ''}`
}

export const openOfflineCache = (): Promise<Cache> => caches.open(STORE)

/** Clears the cache. The key is deleted first, so that the data is unreadable even if its deletion fails. */
export function clearOfflineCache(): void {
  drops += 1
  setCacheKey('', 0)
  if ('caches' in globalThis) caches.delete(STORE).catch(() => {})
}
