/** The pages that need no sign-in. If the bank requires sign-in, a visitor who opens another page is redirected to `/login`. */
export const PUBLIC_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/signup',
  '/login',
  '/reset-password',
  '/confirm-email',
])

/** Returns the path of the sign-in page, which redirects to `next` (a path of this bank) afterwards. */
export function signInPage(next: string): string {
  return `/login?next=${encodeURIComponent(next)}`
}
