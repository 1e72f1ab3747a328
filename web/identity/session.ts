import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/identity.ts'
import { readCurrentSession } from '#web/identity/requests.ts'
import { meQuery } from '#web/lib/me.ts'
import { takeNext } from '#web/lib/next.ts'
import { disownHistory } from '#web/lib/own-history.ts'
import { type SignedOut, tellTabs } from '#web/lib/tabs.ts'

/** Who is signed in on this browser, and how getting in works here. Asking makes nobody a customer. */
export const currentSessionQuery = queryOptions({
  queryKey: ['current-session'],
  queryFn: ({ signal }) => readCurrentSession(signal),
  staleTime: 60_000,
})

let left = false
const listeners = new Set<() => void>()

function setLeft(next: boolean): void {
  left = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the customer has left, and the screen they left from is still there because the next is on its way. */
export function useHasLeft(): boolean {
  return useSyncExternalStore(subscribe, () => left)
}

/** The next screen has come. */
export function arrivedOutside(): void {
  if (left) setLeft(false)
}

/** Somebody else, or nobody, is here now: whatever was known of who was here before is forgotten. */
export function forgetCustomer(queries: QueryClient, me: Me | null): void {
  const before = queries.getQueryData(currentSessionQuery.queryKey)
  queries.clear()
  disownHistory()
  if (before) queries.setQueryData(currentSessionQuery.queryKey, { ...before, me })
  if (me) queries.setQueryData(meQuery.queryKey, me)
  if (me === null) takeNext()
  setLeft(me === null)
}

/** Somebody has signed in, here and so in all tabs of this browser. */
export function signedIn(queries: QueryClient, me: Me): void {
  forgetCustomer(queries, me)
  tellTabs({ type: 'signed_in', email: me.customer.email })
}

/** Nobody is signed in any more, here and so in all tabs of this browser. */
export function signedOut(queries: QueryClient, because: SignedOut): void {
  forgetCustomer(queries, null)
  tellTabs({ type: 'signed_out', because })
}
