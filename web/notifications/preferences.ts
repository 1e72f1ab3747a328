import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NoticePreferenceChange, NoticePreferences } from '#contract/notice-topics.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { changeNoticePreferences, noticePreferencesQuery } from '#web/notifications/queries.ts'

const { queryKey } = noticePreferencesQuery
const MUTATION = ['notification-preferences']
/** Other screens have the two switches above all others, too. */
const SHARED = [queryKey, ['profile'], ['security']]

function changed(known: NoticePreferences, change: NoticePreferenceChange): NoticePreferences {
  return {
    notifications: change.notifications ?? known.notifications,
    transactionAlerts: change.transactionAlerts ?? known.transactionAlerts,
    topics: { ...known.topics, ...change.topics },
  }
}

/**
 * Turns a switch: the screen shows it at once, and shows what was before where the bank refuses. Several reach the
 * bank in the order in which they were turned.
 */
export function useNoticePreferences(): (change: NoticePreferenceChange) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: MUTATION,
    scope: { id: 'notification-preferences' },
    mutationFn: changeNoticePreferences,
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (known) => known && changed(known, change))
      return before
    },
    onError: (error, _change, before) => {
      queries.setQueryData(queryKey, before)
      toastError(error)
    },
    onSettled: async () => {
      // While another is under way, the bank's answer is older than what the person chose.
      if (queries.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all(SHARED.map((shared) => queries.invalidateQueries({ queryKey: shared })))
    },
  })
  return mutate
}
