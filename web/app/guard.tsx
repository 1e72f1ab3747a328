import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { Splash } from '#web/app/splash.tsx'
import { arrivedOutside, currentSessionQuery, useHasLeft } from '#web/identity/session.ts'
import { signInFor } from '#web/lib/next.ts'
import { isOwnEntry, ownEntry } from '#web/lib/own-history.ts'

/**
 * Shows a customer's screens to the customer alone. Who is known to be nobody's customer, where one has to be, is led to
 * sign in before a screen begins to show; whoever leaves sees nothing more of what they left; and what the screens of
 * another customer handed to each other is not shown to who goes back to them.
 */
export function Guard({ children }: { children: ReactNode }) {
  const location = useLocation()
  const kind = useNavigationType()
  const hasLeft = useHasLeft()
  const session = useQueryClient().getQueryData(currentSessionQuery.queryKey)
  const { key, pathname, state } = location
  const isPublic = PUBLIC_PAGES.has(pathname)
  const isForeign = kind === NavigationType.Pop && state !== null && !isOwnEntry(key)
  useEffect(() => {
    if (isPublic && hasLeft) arrivedOutside()
    if (!isPublic && !isForeign) ownEntry(key)
  }, [key, isForeign, isPublic, hasLeft])

  if (isPublic) return children
  if (hasLeft) return <Splash />
  if (session?.signInRequired && session.me === null) return <Navigate replace to={signInFor(location)} />
  if (isForeign) return <Navigate replace to={location} state={null} />
  return children
}
