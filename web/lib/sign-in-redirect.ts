import { signInPage } from '#contract/pages.ts'
import { paths } from '#web/lib/paths.ts'

/** Any origin will do: an address that does not stay on it leads away from the bank. */
const HERE = 'http://here.invalid'

/**
 * Where to go after signing in: the `next` of the query `search` where it is a page of this bank, else the dashboard.
 * Whoever wrote the link chose `next`, so it is read as browsers read addresses (backslashes, tabs, `/./`), and whatever
 * could lead to another site is dropped.
 */
export function pageAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, HERE)) return paths.dashboard
  const { origin, pathname, search: query, hash } = new URL(next, HERE)
  const leadsAway = origin !== HERE || pathname.startsWith('//')
  return leadsAway || pathname === paths.login ? paths.dashboard : pathname + query + hash
}

/** The address to sign in at, which leads back to where the person is. */
export function signInPathFor({ pathname, search }: { pathname: string; search: string }): string {
  return signInPage(pathname + search)
}
