import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { readCurrentSession } from '#web/identity/queries.ts'
import { cancelDeferredSignOut } from '#web/lib/deferred-sign-out.ts'
import { stopRequests } from '#web/lib/api.ts'
import { meQuery } from '#web/lib/me.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { createObservable, useObservable } from '#web/lib/observable.ts'
import { takeNext } from '#web/lib/sign-in-redirect.ts'
import { type SignOutReason, postToTabs } from '#web/lib/browser-tabs.ts'

/** Loads the session of this browser and the sign-in options. Reading it never starts a visitor's session. */
export const currentSessionQuery = queryOptions({
  queryKey: ['current-session'],
  queryFn: async ({ signal }) => {
    const session = await readCurrentSession(signal)
    // The session may have ended while the app was closed.
    if (session.me === null) clearOfflineCache()
    return session
  },
  staleTime: 60_000,
})

const leavingState = createObservable(() => false)

/** Returns whether the customer has signed out while their last screen is still shown. */
export const isLeaving = (): boolean => leavingState.get()

export const useIsLeaving = (): boolean => useObservable(leavingState)

/** Marks the sign-out as finished once the next screen is shown. */
export function finishLeaving(): void {
  if (leavingState.get()) leavingState.set(false)
}

/** Drops all data of the previous customer. `me` is the newly signed-in customer, or null. */
export function forgetCustomer(queries: QueryClient, me: Me | null): void {
  const previousSession = queries.getQueryData(currentSessionQuery.queryKey)
  queries.clear()
  clearOfflineCache()
  if (me === null) stopRequests()
  forgetOwnEntries()
  if (previousSession) queries.setQueryData(currentSessionQuery.queryKey, { ...previousSession, me })
  if (me) queries.setQueryData(meQuery.queryKey, me)
  if (me === null) takeNext()
  leavingState.set(me === null)
}

/** Updates this tab after a customer has signed in, and notifies the browser's other tabs. */
export function handleSignedIn(queries: QueryClient, me: Me): void {
  cancelDeferredSignOut()
  forgetCustomer(queries, me)
  postToTabs({ type: 'signed_in', email: me.customer.email })
}

/** Updates this tab after a session has ended, and notifies the browser's other tabs. */
export function handleSignedOut(queries: QueryClient, reason: SignOutReason): void {
  forgetCustomer(queries, null)
  postToTabs({ type: 'signed_out', reason })
}
