import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { readCurrentSession } from '#web/identity/requests.ts'
import { meQuery } from '#web/lib/me.ts'
import { disownHistory } from '#web/lib/own-history.ts'

/** Who is signed in on this browser, and how getting in works here. Asking makes nobody a customer. */
export const currentSessionQuery = queryOptions({
  queryKey: ['current-session'],
  queryFn: ({ signal }) => readCurrentSession(signal),
  staleTime: 60_000,
})

/** Somebody else, or nobody, is here now: whatever was known of who was here before is forgotten. */
export function changeCustomer(queries: QueryClient, me: Me | null): void {
  const before = queries.getQueryData(currentSessionQuery.queryKey)
  queries.clear()
  disownHistory()
  if (before) queries.setQueryData(currentSessionQuery.queryKey, { ...before, me })
  if (me) queries.setQueryData(meQuery.queryKey, me)
}
