import { useQueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { handleSignedIn } from '#web/identity/session/session.ts'
import { useRedirect } from '#web/lib/timeout.ts'

/**
 * Returns a function that opens the screen `to` after `afterMs`, so that the customer can read the toast. If `me` is a
 * customer, the function first signs that customer in on this page and drops the data of any previous customer. If `me` is
 * null, the session stays as it is.
 */
export function useEnterApp(): (me: Me | null, to: string, afterMs?: number) => void {
  const queries = useQueryClient()
  const redirect = useRedirect()
  return (me, to, afterMs) => {
    if (me) handleSignedIn(queries, me)
    redirect(to, { replace: true, ...(afterMs !== undefined && { afterMs }) })
  }
}
