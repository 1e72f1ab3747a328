import { signInPage } from '#contract/pages.ts'
import { paths } from '#web/lib/paths.ts'

/** A placeholder origin: a URL that resolves to another origin leaves the bank. */
const HERE = 'http://here.invalid'

/**
 * The page to open after sign-in: `next` of the query string if it is a page of this bank, else the dashboard. `next` is
 * chosen by whoever wrote the link, so it is parsed the way browsers do (backslashes, tabs, `/./`) and anything that
 * could lead to another site is ignored.
 */
export function pageAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, HERE)) return paths.dashboard
  const { origin, pathname, search: query, hash } = new URL(next, HERE)
  const leadsAway = origin !== HERE || pathname.startsWith('//')
  return leadsAway || ENTRANCES.has(pathname.toLowerCase().replace(/\/+$/, ''))
    ? paths.dashboard
    : pathname + query + hash
}

/** Pages for signed-out visitors alone. */
const ENTRANCES: ReadonlySet<string> = new Set([paths.login, paths.signup])

/** The path `to` with the `next` of the query string `search`, if it has one, so that the page is not forgotten. */
export function withNext(to: string, search: string): string {
  const next = pageAfterSignIn(search)
  return next === paths.dashboard ? to : `${to}?${new URLSearchParams({ next })}`
}

const KEPT = 'alder.next'

/** Keeps the `next` of a query string until the email is confirmed, which happens in another tab. */
export function keepNext(search: string): void {
  const next = pageAfterSignIn(search)
  try {
    if (next === paths.dashboard) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, next)
  } catch {
    // Without storage the dashboard follows.
  }
}

/** What was kept, once, as a query string for `pageAfterSignIn`. */
export function takeNext(): string {
  try {
    const next = localStorage.getItem(KEPT)
    localStorage.removeItem(KEPT)
    return next === null ? '' : `?${new URLSearchParams({ next })}`
  } catch {
    return ''
  }
}

/** The path of the sign-in screen that returns to the current page. */
export function signInPathFor({ pathname, search }: { pathname: string; search: string }): string {
  return signInPage(pathname + search)
}
