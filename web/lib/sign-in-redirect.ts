import { signInPage } from '#contract/pages.ts'
import { paths } from '#web/lib/paths.ts'

/** A placeholder origin. A URL that resolves to another origin leaves the bank's site. */
const BASE_URL = 'http://here.invalid'

/**
 * Returns the page to open after sign-in: `next` of the query string if it is a page of this bank, otherwise the dashboard. The
 * author of a link chooses `next`. It is therefore parsed as browsers parse it (backslashes, tabs, `/./`), and any value that
 * could lead to another site is ignored.
 */
export function pageAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, BASE_URL)) return paths.dashboard
  const { origin, pathname, search: query, hash } = new URL(next, BASE_URL)
  const leadsAway = origin !== BASE_URL || pathname.startsWith('//')
  return leadsAway || ENTRANCES.has(pathname.toLowerCase().replace(/\/+$/, ''))
    ? paths.dashboard
    : pathname + query + hash
}

/** The pages for signed-out visitors only. */
const ENTRANCES: ReadonlySet<string> = new Set([paths.login, paths.signup])

/** Returns `path`, with the `next` of the query string `search` if it has one. */
export function withNext(path: string, search: string): string {
  const next = pageAfterSignIn(search)
  return next === paths.dashboard ? path : `${path}?${new URLSearchParams({ next })}`
}

const NEXT_KEY = 'alder.next'

/** Stores the `next` of a query string until the email address is confirmed, which happens in another tab. */
export function storeNext(search: string): void {
  const next = pageAfterSignIn(search)
  try {
    if (next === paths.dashboard) localStorage.removeItem(NEXT_KEY)
    else localStorage.setItem(NEXT_KEY, next)
  } catch {
    // Without storage, sign-in opens the dashboard.
  }
}

/** Returns the stored `next` once, as a query string for `pageAfterSignIn`, and deletes it. */
export function takeNext(): string {
  try {
    const next = localStorage.getItem(NEXT_KEY)
    localStorage.removeItem(NEXT_KEY)
    return next === null ? '' : `?${new URLSearchParams({ next })}`
  } catch {
    return ''
  }
}

/** Returns the path of the sign-in screen that returns to the current page. */
export function signInPathFor({ pathname, search }: { pathname: string; search: string }): string {
  return signInPage(pathname + search)
}
