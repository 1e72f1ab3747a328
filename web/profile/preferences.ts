import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PreferenceChange } from '#contract/profile.ts'
import { changePreferences, profileQuery, securityQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

const KEYS: readonly QueryKey[] = [profileQuery.queryKey, securityQuery.queryKey]

/** What both questions may answer about, changed where they do. */
function changed(known: object | undefined, change: PreferenceChange): object | undefined {
  if (!known) return known
  return { ...known, ...Object.fromEntries(Object.entries(change).filter(([name]) => name in known)) }
}

/**
 * Turns a switch: the screen shows it at once, and shows what was before where the bank refuses. Several reach the
 * bank in the order in which they were turned.
 */
export function usePreferences(): (change: PreferenceChange) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: ['preferences'],
    scope: { id: 'preferences' },
    mutationFn: changePreferences,
    onMutate: async (change) => {
      await Promise.all(KEYS.map((queryKey) => queries.cancelQueries({ queryKey })))
      const before = KEYS.map((queryKey) => [queryKey, queries.getQueryData<object>(queryKey)] as const)
      for (const [queryKey, known] of before) queries.setQueryData(queryKey, changed(known, change))
      return before
    },
    onError: (error, _change, before) => {
      for (const [queryKey, known] of before ?? []) queries.setQueryData(queryKey, known)
      toastError(error)
    },
    onSettled: async () => {
      // While another is under way, the bank's answer is older than what the person chose.
      if (queries.isMutating({ mutationKey: ['preferences'] }) > 1) return
      await Promise.all(KEYS.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
  return mutate
}
