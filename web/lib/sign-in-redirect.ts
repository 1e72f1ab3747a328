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
  return leadsAway || pathname === paths.login ? paths.dashboard : pathname + query + hash
}

/** The path of the sign-in screen that returns to the current page. */
export function signInPathFor({ pathname, search }: { pathname: string; search: string }): string {
  return signInPage(pathname + search)
}
