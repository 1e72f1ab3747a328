import { signInPage } from '#contract/pages.ts'
import { paths } from '#web/lib/paths.ts'

/** Any origin will do: an address that does not stay on it leads away from the bank. */
const HERE = 'http://here.invalid'

/**
 * Where to go after signing in: the `next` of the query `search` where it is a page of this bank, else the dashboard.
 * Whoever wrote the link chose `next`, so it is read as browsers read addresses (backslashes, tabs, `/./`), and whatever
 * could lead to another site is dropped.
 */
export function nextIn(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, HERE)) return paths.dashboard
  const { origin, pathname, search: query, hash } = new URL(next, HERE)
  const leadsAway = origin !== HERE || pathname.startsWith('//')
  return leadsAway || ENTRANCES.has(pathname) ? paths.dashboard : pathname + query + hash
}

/** Whoever is let in has no business there. */
const ENTRANCES: ReadonlySet<string> = new Set([paths.login, paths.signup])

/** The address `to`, from which the person is led on to the `next` of the query `search`, if it has one. */
export function withNext(to: string, search: string): string {
  const next = nextIn(search)
  return next === paths.dashboard ? to : `${to}?${new URLSearchParams({ next })}`
}

const KEPT = 'alder.next'

/** Keeps where somebody wanted to go until their email is confirmed, which happens in another tab. */
export function keepNext(search: string): void {
  const next = nextIn(search)
  try {
    if (next === paths.dashboard) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, next)
  } catch {
    // Nothing to keep it in: they are led to the dashboard.
  }
}

/** What was kept, this once, as a query that `nextIn` reads. */
export function takeNext(): string {
  try {
    const next = localStorage.getItem(KEPT)
    localStorage.removeItem(KEPT)
    return next === null ? '' : `?${new URLSearchParams({ next })}`
  } catch {
    return ''
  }
}

/** The address to sign in at, which leads back to where the person is. */
export function signInFor({ pathname, search }: { pathname: string; search: string }): string {
  return signInPage(pathname + search)
}
