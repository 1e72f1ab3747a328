import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PreferenceChange } from '#contract/profile.ts'
import { changePreferences, profileQuery, securityQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

const KEYS: readonly QueryKey[] = [profileQuery.queryKey, securityQuery.queryKey]

/** Returns the data of a query with the change applied. Only fields that the data already has change. */
function applyChange(preferences: object | undefined, change: PreferenceChange): object | undefined {
  if (!preferences) return preferences
  return { ...preferences, ...Object.fromEntries(Object.entries(change).filter(([name]) => name in preferences)) }
}

/**
 * Returns a function that changes a switch at once, and restores the switch if the bank refuses the change. The requests reach
 * the bank in the order of the changes.
 */
export function usePreferences(): (change: PreferenceChange) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: ['preferences'],
    scope: { id: 'preferences' },
    mutationFn: changePreferences,
    onMutate: async (change) => {
      await Promise.all(KEYS.map((queryKey) => queries.cancelQueries({ queryKey })))
      const previousData = KEYS.map((queryKey) => [queryKey, queries.getQueryData<object>(queryKey)] as const)
      for (const [queryKey, preferences] of previousData)
        queries.setQueryData(queryKey, applyChange(preferences, change))
      return previousData
    },
    onError: (error, _change, previousData) => {
      for (const [queryKey, preferences] of previousData ?? []) queries.setQueryData(queryKey, preferences)
      toastError(error)
    },
    onSettled: async () => {
      // While another change is in progress, this response is older than the customer's last choice.
      if (queries.isMutating({ mutationKey: ['preferences'] }) > 1) return
      await Promise.all(KEYS.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
  return mutate
}
