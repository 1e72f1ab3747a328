import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from '#web/lib/toast.ts'
import { endSession } from '#web/identity/queries.ts'
import { signOutLater } from '#web/lib/late-sign-out.ts'
import { signedOut } from '#web/identity/session/session.ts'
import { messageOf } from '#web/lib/api.ts'
import { isLineUp } from '#web/lib/line.ts'
import { paths } from '#web/lib/paths.ts'

/**
 * Ends the session at the bank, then leads to where one signs in; nothing of the customer stays behind. Without a line the
 * bank is told later: whoever leaves a device must not be kept from it.
 */
export function useSignOut(): { signOut: () => void; busy: boolean } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      try {
        await endSession()
      } catch (error) {
        if (isLineUp()) throw error
        signOutLater()
      }
    },
    onSuccess: () => {
      void navigate(paths.login)
      signedOut(queries, 'left')
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  return { signOut: () => mutate(), busy: isPending || isSuccess }
}
