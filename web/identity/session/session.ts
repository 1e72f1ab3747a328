import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/identity.ts'
import { readCurrentSession } from '#web/identity/queries.ts'
import { meQuery } from '#web/lib/me.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { type SignOutReason, postToTabs } from '#web/lib/tabs.ts'

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
export function useIsLeaving(): boolean {
  return useSyncExternalStore(subscribe, () => left)
}

/** The next screen has come. */
export function leavingFinished(): void {
  if (left) setLeft(false)
}

/** Somebody else, or nobody, is here now: whatever was known of who was here before is forgotten. */
export function forgetCustomer(queries: QueryClient, me: Me | null): void {
  const before = queries.getQueryData(currentSessionQuery.queryKey)
  queries.clear()
  forgetOwnEntries()
  if (before) queries.setQueryData(currentSessionQuery.queryKey, { ...before, me })
  if (me) queries.setQueryData(meQuery.queryKey, me)
  setLeft(me === null)
}

/** Somebody has signed in, here and so in all tabs of this browser. */
export function signedIn(queries: QueryClient, me: Me): void {
  forgetCustomer(queries, me)
  postToTabs({ type: 'signed_in', email: me.customer.email })
}

/** Nobody is signed in any more, here and so in all tabs of this browser. */
export function signedOut(queries: QueryClient, reason: SignOutReason): void {
  forgetCustomer(queries, null)
  postToTabs({ type: 'signed_out', reason })
}
