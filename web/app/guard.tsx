import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { Splash } from '#web/app/splash.tsx'
import { arrivedOutside, currentSessionQuery, useHasLeft } from '#web/identity/session.ts'
import { signInFor } from '#web/lib/next.ts'
import { isOwnEntry, ownEntry } from '#web/lib/own-history.ts'

/**
 * What somebody who is at a screen is to it: `anybody`, where all may be; `leaving`, where they have just signed out and
 * the next screen is on its way; `stranger`, where they are known to have to sign in first; else the `customer`.
 */
export type Access = 'anybody' | 'leaving' | 'stranger' | 'customer'

export function useAccess(): Access {
  const { pathname } = useLocation()
  const hasLeft = useHasLeft()
  const session = useQueryClient().getQueryData(currentSessionQuery.queryKey)
  const isPublic = PUBLIC_PAGES.has(pathname)
  useEffect(() => {
    if (isPublic && hasLeft) arrivedOutside()
  }, [isPublic, hasLeft])
  if (isPublic) return 'anybody'
  if (hasLeft) return 'leaving'
  return session?.signInRequired && session.me === null ? 'stranger' : 'customer'
}

/**
 * Shows a customer's screens to the customer alone: to a stranger they do not even begin to show, and whoever leaves
 * sees nothing more of them. What the screens of another customer handed to each other is not shown to who goes back.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const location = useLocation()
  const kind = useNavigationType()
  const { key, state } = location
  const isForeign = kind === NavigationType.Pop && state !== null && !isOwnEntry(key)
  useEffect(() => {
    if (access === 'customer' && !isForeign) ownEntry(key)
  }, [access, key, isForeign])

  if (access === 'leaving') return <Splash />
  if (access === 'stranger') return <Navigate replace to={signInFor(location)} />
  if (access === 'customer' && isForeign) return <Navigate replace to={location} state={null} />
  return children
}
