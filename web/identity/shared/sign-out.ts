import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from '#web/lib/toast.ts'
import { endSession } from '#web/identity/queries.ts'
import { deferSignOut } from '#web/lib/deferred-sign-out.ts'
import { handleSignedOut } from '#web/identity/session/session.ts'
import { messageOf } from '#web/lib/api.ts'
import { isConnected } from '#web/lib/connection.ts'
import { paths } from '#web/lib/paths.ts'

/**
 * Ends the session at the bank, removes all data of the customer and opens the sign-in screen. Without a connection, the bank
 * is notified later, because a customer must be able to leave a device at any time.
 */
export function useSignOut(): { signOut: () => void; busy: boolean } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      try {
        await endSession()
      } catch (error) {
        if (isConnected()) throw error
        deferSignOut()
      }
    },
    onSuccess: () => {
      void navigate(paths.login)
      handleSignedOut(queries, 'left')
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  return { signOut: () => mutate(), busy: isPending || isSuccess }
}
