import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { Splash } from '#web/app/splash.tsx'
import { leavingFinished, currentSessionQuery, useIsLeaving } from '#web/identity/session/session.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { isOwnEntry, markOwnEntry } from '#web/lib/history-entries.ts'

/**
 * Who may see the current screen: everybody (`public`), nobody any more because the customer has just signed out
 * (`signing_out`), only after signing in (`signed_out`), or the customer (`signed_in`).
 */
export type Access = 'public' | 'signing_out' | 'signed_out' | 'signed_in'

export function useAccess(): Access {
  const { pathname } = useLocation()
  const isLeaving = useIsLeaving()
  const session = useQueryClient().getQueryData(currentSessionQuery.queryKey)
  const isPublic = PUBLIC_PAGES.has(pathname)
  useEffect(() => {
    if (isPublic && isLeaving) leavingFinished()
  }, [isPublic, isLeaving])
  if (isPublic) return 'public'
  if (isLeaving) return 'signing_out'
  return session?.signInRequired && session.me === null ? 'signed_out' : 'signed_in'
}

/**
 * Shows a customer's screens to that customer alone. Going back does not reveal what was passed between the screens of
 * somebody who was signed in before.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const location = useLocation()
  const kind = useNavigationType()
  const { key, state } = location
  const isForeign = kind === NavigationType.Pop && state !== null && !isOwnEntry(key)
  // Before the screen is seen, and so before anything on it leads on: the entry that is marked is the one that history is at.
  useLayoutEffect(() => {
    if (access === 'public' || (access === 'signed_in' && !isForeign)) markOwnEntry(key)
  }, [access, key, isForeign])

  if (access === 'signing_out') return <Splash />
  if (access === 'signed_out') return <Navigate replace to={signInPathFor(location)} />
  if (access === 'signed_in' && isForeign) return <Navigate replace to={location} state={null} />
  return children
}
