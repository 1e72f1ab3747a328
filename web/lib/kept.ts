import type { LiveEvent } from '#contract/events.ts'

/**
 * What is kept on this device for when the bank is out of reach (docs/decisions/0083). A query is kept only where it says
 * so: `dated` figures are shown with the time they came, `undated` is what changes hardly ever.
 */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      kept?: 'dated' | 'undated'
      /** Which live events may change its data, besides the dashboard's (web/app/live.ts). */
      touchedBy?: readonly Exclude<LiveEvent['type'], 'replaced'>[]
    }
  }
}

/** For figures and lists of the customer: never for anything secret, and for nothing that is another person's. */
export const KEPT = { kept: 'dated' } as const

/** For what is said beside them. */
export const KEPT_UNDATED = { kept: 'undated' } as const

const STORE = 'alder-kept'

const isSecure = (): boolean => location.protocol === 'https:'

/** Each bank on localhost has a name of its own, for cookies are shared between ports. */
const cookieName = (): string => (isSecure() ? '__Host-alder-kept' : `alder-kept-${location.port}`)

let drops = 0

/** Counts how often everything was dropped: what was begun before is not written after. */
export const keptDrops = (): number => drops

/** The key that all that is kept is encrypted with, as text; null where there is none any more. */
export function keptKey(): string | null {
  const name = `${cookieName()}=`
  const cookie = document.cookie.split('; ').find((one) => one.startsWith(name))
  return cookie?.slice(name.length) || null
}

/** Has the browser forget the key after `seconds` unless this is called again, with the app open or not. */
export function setKeptKey(key: string, seconds: number): void {
  // There is no other way in which a browser forgets something by itself.
  document.cookie = `${cookieName()}=${key}; max-age=${Math.floor(seconds)}; path=/; samesite=strict${isSecure() ? '; secure' : ''}`
}

export const keptStore = (): Promise<Cache> => caches.open(STORE)

/** Drops all that is kept of the customer. The key goes at once, so that nothing can be read even where the rest fails. */
export function dropKept(): void {
  drops += 1
  setKeptKey('', 0)
  if ('caches' in globalThis) caches.delete(STORE).catch(() => {})
}
