import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { Splash } from '#web/app/splash.tsx'
import { finishLeaving, currentSessionQuery, useIsLeaving } from '#web/identity/session/session.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { isOwnEntry, markOwnEntry } from '#web/lib/history-entries.ts'

/**
 * The access to the current screen. `public`: every visitor may see the screen. `signing_out`: the customer has just signed
 * out, so no one may see it. `signed_out`: the visitor must sign in first. `signed_in`: the customer may see it.
 */
export type Access = 'public' | 'signing_out' | 'signed_out' | 'signed_in'

export function useAccess(): Access {
  const { pathname } = useLocation()
  const isLeaving = useIsLeaving()
  const session = useQueryClient().getQueryData(currentSessionQuery.queryKey)
  const isPublic = PUBLIC_PAGES.has(pathname)
  useEffect(() => {
    if (isPublic && isLeaving) finishLeaving()
  }, [isPublic, isLeaving])
  if (isPublic) return 'public'
  if (isLeaving) return 'signing_out'
  return session?.signInRequired && session.me === null ? 'signed_out' : 'signed_in'
}

/**
 * Shows a customer's screens to that customer only. Going back in the history does not show data of a customer who was signed
 * in before.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const location = useLocation()
  const kind = useNavigationType()
  const { key, state } = location
  const isForeign = kind === NavigationType.Pop && state !== null && !isOwnEntry(key)
  // A layout effect runs before the customer can navigate on, so the current history entry is the one that is marked.
  useLayoutEffect(() => {
    if (access === 'public' || (access === 'signed_in' && !isForeign)) markOwnEntry(key)
  }, [access, key, isForeign])

  if (access === 'signing_out') return <Splash />
  if (access === 'signed_out') return <Navigate replace to={signInPathFor(location)} />
  if (access === 'signed_in' && isForeign) return <Navigate replace to={location} state={null} />
  return children
}
