import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { ConnectionBanner } from '#web/app/connection/connection-banner.tsx'
import { Guard, useAccess } from '#web/app/guard.tsx'
import { useLive } from '#web/app/use-live.ts'
import { useRecovery } from '#web/app/use-recovery.ts'
import { useOwnLanguage } from '#web/app/own-language.ts'
import { useFocusOnChange } from '#web/app/shell/focus.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { forgetVisits, noteVisit } from '#web/app/shell/recent.ts'
import { useSettled } from '#web/app/shell/settled.ts'
import type { Overlay } from '#web/app/shell/shortcuts.ts'
import { hasTabs, useTabBar } from '#web/app/shell/tabs.ts'
import { NewVersion } from '#web/app/version/new-version.tsx'
import { IdleWatch } from '#web/identity/session/idle-watch.tsx'
import { cx } from '#web/ui/cx.ts'
import { useRoom } from '#web/ui/room.ts'

const loadBeside = () => import('#web/app/beside.tsx')
const loadTips = () => import('#web/ui/tips.ts')
const loadBackdrop = () => import('#web/app/shell/backdrop.tsx')

/** What every screen shares: the column it stands in, the live connection, focus and scrolling on a change of screen. */
export function Layout() {
  const { pathname } = useLocation()
  const access = useAccess()
  const isSignedIn = access === 'signed_in'
  const isWide = useRoom() !== 'column'
  const hasRail = isWide && isSignedIn
  const isTabbed = !isWide && isSignedIn && hasTabs(pathname)
  const tabs = useTabBar()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const settled = useSettled()
  const beside = useOnDemand(loadBeside, isSignedIn && (isWide || settled || overlay !== null))
  const backdrop = useOnDemand(loadBackdrop, isWide)
  const tips = useOnDemand(loadTips, settled)
  useEffect(() => tips?.showTips(), [tips])
  useLive(isSignedIn && settled)
  useRecovery(isSignedIn && settled)
  const written = useOwnLanguage(isSignedIn)
  useFocusOnChange(pathname)
  useVisits(pathname, isSignedIn)
  return (
    <>
      {isWide && backdrop && <backdrop.Backdrop isPublic={access === 'public'} hasRail={hasRail} />}
      {isSignedIn && beside && <beside.Beside {...{ hasRail, hasTabs: isTabbed, overlay, setOverlay }} />}
      <PendingBar />
      <div className={cx(hasRail && 'ps-64')}>
        <div
          {...(isTabbed && { 'data-tabs': true })}
          className="column mx-auto flex min-h-dvh w-full max-w-[26.875rem] flex-col pt-[env(safe-area-inset-top)] has-data-panes:max-w-[60rem] sm:pt-6 sm:has-data-panes:py-0 lg:pt-0"
        >
          <ConnectionBanner />
          <NewVersion />
          <Guard key={written} access={access}>
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

/** Remembers where a customer was, for the search over everything; the next one is shown none of it. */
function useVisits(pathname: string, isSignedIn: boolean): void {
  useEffect(() => (isSignedIn ? noteVisit(pathname) : forgetVisits()), [pathname, isSignedIn])
}

/** Whatever is loaded anew has the one key 'default': without its path a screen would begin where another was left. */
function scrollKey({ key, pathname }: { key: string; pathname: string }): string {
  return key === 'default' ? pathname : key
}

/** Shows that the next screen is on its way, where it takes long enough to be noticed. */
function PendingBar() {
  if (useNavigation().state === 'idle') return null
  return (
    <div aria-hidden className="fixed inset-x-0 top-0 z-30 h-0.5 overflow-hidden">
      <div className="h-full w-1/3 animate-pending rounded-full bg-primary" />
    </div>
  )
}
