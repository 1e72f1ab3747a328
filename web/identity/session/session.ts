import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { readCurrentSession } from '#web/identity/queries.ts'
import { forgetLateSignOut } from '#web/lib/late-sign-out.ts'
import { stopRequests } from '#web/lib/api.ts'
import { meQuery } from '#web/lib/me.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { dropKept } from '#web/lib/kept.ts'
import { observed, useObserved } from '#web/lib/observed.ts'
import { takeNext } from '#web/lib/sign-in-redirect.ts'
import { type SignOutReason, postToTabs } from '#web/lib/tabs.ts'

/** The session of this browser and the sign-in options. Reading it never starts a visitor's session. */
export const currentSessionQuery = queryOptions({
  queryKey: ['current-session'],
  queryFn: async ({ signal }) => {
    const session = await readCurrentSession(signal)
    // It may have ended while the app was closed.
    if (session.me === null) dropKept()
    return session
  },
  staleTime: 60_000,
})

const left = observed(() => false)

/** Whether the customer has signed out while their last screen is still shown. */
export const isLeaving = (): boolean => left.get()

export const useIsLeaving = (): boolean => useObserved(left)

/** The next screen is shown. */
export function leavingFinished(): void {
  if (left.get()) left.set(false)
}

/** Drops all data of the previous customer; `me` is signed in now, null for nobody. */
export function forgetCustomer(queries: QueryClient, me: Me | null): void {
  const before = queries.getQueryData(currentSessionQuery.queryKey)
  queries.clear()
  dropKept()
  if (me === null) stopRequests()
  forgetOwnEntries()
  if (before) queries.setQueryData(currentSessionQuery.queryKey, { ...before, me })
  if (me) queries.setQueryData(meQuery.queryKey, me)
  if (me === null) takeNext()
  left.set(me === null)
}

/** Call when a customer has signed in; the other tabs of this browser follow. */
export function signedIn(queries: QueryClient, me: Me): void {
  forgetLateSignOut()
  forgetCustomer(queries, me)
  postToTabs({ type: 'signed_in', email: me.customer.email })
}

/** Call when the session has ended; the other tabs of this browser follow. */
export function signedOut(queries: QueryClient, reason: SignOutReason): void {
  forgetCustomer(queries, null)
  postToTabs({ type: 'signed_out', reason })
}
