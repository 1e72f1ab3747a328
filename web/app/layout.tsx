import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { ConnectionBanner } from '#web/app/connection/connection-banner.tsx'
import { Guard, useAccess } from '#web/app/guard.tsx'
import { useLive } from '#web/app/use-live.ts'
import { useRecovery } from '#web/app/use-recovery.ts'
import { useCustomerLanguage } from '#web/app/customer-language.ts'
import { useFocusOnChange } from '#web/app/shell/focus.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { forgetVisits, recordVisit } from '#web/app/shell/recent-screens.ts'
import { useFirstDataLoaded } from '#web/app/shell/after-first-data.ts'
import type { Overlay } from '#web/app/shell/shortcuts.ts'
import { hasTabs, useTabBar } from '#web/app/shell/tabs.ts'
import { NewVersion } from '#web/app/version/new-version.tsx'
import { IdleWatch } from '#web/identity/session/idle-watch.tsx'
import { cx } from '#web/ui/cx.ts'
import { useBreakpoint } from '#web/ui/breakpoint.ts'

const loadBeside = () => import('#web/app/navigation-chrome.tsx')
const loadTips = () => import('#web/ui/tips.ts')
const loadBackdrop = () => import('#web/app/shell/backdrop.tsx')

/**
 * The parts that every screen shares: the column, the live connection, and the handling of focus and scrolling on a change of
 * screen.
 */
export function Layout() {
  const { pathname } = useLocation()
  const access = useAccess()
  const isSignedIn = access === 'signed_in'
  const isWide = useBreakpoint() !== 'column'
  const hasRail = isWide && isSignedIn
  const isTabbed = !isWide && isSignedIn && hasTabs(pathname)
  const tabs = useTabBar()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const isFirstDataLoaded = useFirstDataLoaded()
  const navigation = useLazy(loadBeside, isSignedIn && (isWide || isFirstDataLoaded || overlay !== null))
  const backdrop = useLazy(loadBackdrop, isWide)
  const tips = useLazy(loadTips, isFirstDataLoaded)
  useEffect(() => tips?.showTips(), [tips])
  useLive(isSignedIn && isFirstDataLoaded)
  useRecovery(isSignedIn && isFirstDataLoaded)
  const languageKey = useCustomerLanguage(isSignedIn)
  useFocusOnChange(pathname)
  useVisits(pathname, isSignedIn)
  return (
    <>
      {isWide && backdrop && <backdrop.Backdrop isPublic={access === 'public'} hasRail={hasRail} />}
      {isSignedIn && navigation && (
        <navigation.NavigationChrome {...{ hasRail, hasTabs: isTabbed, overlay, setOverlay }} />
      )}
      <PendingBar />
      <div className={cx(hasRail && 'ps-64')}>
        <div
          {...(isTabbed && { 'data-tabs': true })}
          className="column mx-auto flex min-h-dvh w-full max-w-[26.875rem] flex-col pt-[env(safe-area-inset-top)] has-data-panes:max-w-[60rem] sm:pt-6 sm:has-data-panes:py-0 lg:pt-0"
        >
          <ConnectionBanner />
          <NewVersion />
          <Guard key={languageKey} access={access}>
            <Outlet />
          </Guard>
        </div>
      </div>
      {isTabbed && tabs && <tabs.TabBar opened={overlay} onOpen={setOverlay} />}
      {isSignedIn && <IdleWatch />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** Records the visited screens for the command palette. The next customer does not see them. */
function useVisits(pathname: string, isSignedIn: boolean): void {
  useEffect(() => (isSignedIn ? recordVisit(pathname) : forgetVisits()), [pathname, isSignedIn])
}

/**
 * Returns the key of a screen's scroll position. A screen that was opened by its address has the key 'default'. The path
 * replaces that key, so that a screen does not begin at the scroll position of another.
 */
function scrollKey({ key, pathname }: { key: string; pathname: string }): string {
  return key === 'default' ? pathname : key
}

/** A progress bar while the next screen loads, shown if it takes noticeably long. */
function PendingBar() {
  if (useNavigation().state === 'idle') return null
  return (
    <div aria-hidden className="fixed inset-x-0 top-0 z-30 h-0.5 overflow-hidden">
      <div className="h-full w-1/3 animate-pending rounded-full bg-primary" />
    </div>
  )
}
