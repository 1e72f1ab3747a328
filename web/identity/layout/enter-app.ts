import { useQueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { signedIn } from '#web/identity/session/session.ts'
import { useRedirect } from '#web/lib/timeout.ts'

/**
 * Signs a customer in on this page (null: nobody) and opens the next screen after `afterMs`, when the toast has been
 * read. Data of a customer who was signed in before is dropped.
 */
export function useEnterApp(): (me: Me | null, to: string, afterMs?: number) => void {
  const queries = useQueryClient()
  const redirect = useRedirect()
  return (me, to, afterMs) => {
    if (me) signedIn(queries, me)
    redirect(to, { replace: true, ...(afterMs !== undefined && { afterMs }) })
  }
}
