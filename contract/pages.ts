/**
 * The pages that anybody may open. Where customers sign in first, the bank leads who opens any other one, and is
 * nobody's customer yet, to `/login`.
 */
export const PUBLIC_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/signup',
  '/login',
  '/reset-password',
  '/confirm-email',
])

/** The page to sign in on, which leads on to `next` (a path of this bank) afterwards. */
export function signInPage(next: string): string {
  return `/login?next=${encodeURIComponent(next)}`
}
