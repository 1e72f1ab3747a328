import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Me } from '#contract/identity.ts'
import { signedIn } from '#web/identity/session/session.ts'
import { useTimeout } from '#web/lib/timeout.ts'

/**
 * Signs a customer in on this page (null: nobody) and opens the next screen after `afterMs`, when the toast has been
 * read. Data of a customer who was signed in before is dropped.
 */
export function useEnterApp(): (me: Me | null, to: string, afterMs: number) => void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const schedule = useTimeout()
  return (me, to, afterMs) => {
    if (me) signedIn(queries, me)
    schedule(() => void navigate(to, { replace: true }), afterMs)
  }
}
