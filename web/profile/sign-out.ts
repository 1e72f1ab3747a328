import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { bankFetch, messageOf, refusalOf } from '#web/lib/client.ts'
import { paths } from '#web/lib/paths.ts'

async function endSession(): Promise<void> {
  const answer = await bankFetch('/api/v1/session', { method: 'DELETE' })
  if (!answer.ok) throw await refusalOf(answer)
}

/** Ends the session at the bank, then leads to where one signs in; nothing of the customer stays behind. */
export function useSignOut() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      await navigate(paths.login)
      queries.clear()
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  return { signOut: () => mutate(), busy: isPending || isSuccess }
}
