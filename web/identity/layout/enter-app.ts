import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Me } from '#contract/identity.ts'
import { signedIn } from '#web/identity/session/session.ts'
import { useTimeout } from '#web/lib/timeout.ts'

/**
 * Lets somebody in who has just become a customer here or shown who they are: what was known of anybody else is
 * forgotten. A moment later, when they have read what was done, they are led on; so is who is nobody yet (null).
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
