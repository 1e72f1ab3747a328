import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NoticePreferenceChange, NoticePreferences } from '#contract/notice-topics.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { changeNoticePreferences, noticePreferencesQuery } from '#web/notifications/queries.ts'

const { queryKey } = noticePreferencesQuery
const MUTATION = ['notification-preferences']
/** Other screens also show the two switches at the top of the list. */
const SHARED = [queryKey, ['profile'], ['security']]

function applyChange(preferences: NoticePreferences, change: NoticePreferenceChange): NoticePreferences {
  return {
    notifications: change.notifications ?? preferences.notifications,
    transactionAlerts: change.transactionAlerts ?? preferences.transactionAlerts,
    topics: { ...preferences.topics, ...change.topics },
  }
}

/**
 * Returns a function that changes a switch at once, and restores the switch if the bank refuses the change. The requests reach
 * the bank in the order of the changes.
 */
export function useNoticePreferences(): (change: NoticePreferenceChange) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: MUTATION,
    scope: { id: 'notification-preferences' },
    mutationFn: changeNoticePreferences,
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey })
      const previousPreferences = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (preferences) => preferences && applyChange(preferences, change))
      return previousPreferences
    },
    onError: (error, _change, previousPreferences) => {
      queries.setQueryData(queryKey, previousPreferences)
      toastError(error)
    },
    onSettled: async () => {
      // While another change is in progress, this response is older than the customer's last choice.
      if (queries.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all(SHARED.map((shared) => queries.invalidateQueries({ queryKey: shared })))
    },
  })
  return mutate
}
