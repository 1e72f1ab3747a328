import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { Brand } from '#web/app/brand.tsx'
import { ConnectionBanner } from '#web/app/connection/connection-banner.tsx'
import { Desktop } from '#web/app/desktop.tsx'
import { Guard, useAccess } from '#web/app/guard.tsx'
import { useLive } from '#web/app/use-live.ts'
import { useOwnLanguage } from '#web/app/own-language.ts'
import { currentHeading, useFocusOnChange } from '#web/app/shell/focus.ts'
import { forgetVisits, noteVisit } from '#web/app/shell/recent.ts'
import { NewVersion } from '#web/app/version/new-version.tsx'
import { IdleWatch } from '#web/identity/session/idle-watch.tsx'
import { paths } from '#web/lib/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { Rings } from '#web/ui/rings.tsx'
import { useRoom } from '#web/ui/room.ts'

/** What every screen shares: the column it stands in, the live connection, focus and scrolling on a change of screen. */
export function Layout() {
  const { pathname } = useLocation()
  const access = useAccess()
  const isSignedIn = access === 'signed_in'
  const hasRail = useRoom() !== 'column' && isSignedIn
  useLive(isSignedIn)
  const written = useOwnLanguage(isSignedIn)
  useFocusOnChange(pathname)
  useVisits(pathname, isSignedIn)
  return (
    <>
      {hasRail && <SkipLink />}
      <Backdrop isPublic={access === 'public'} hasRail={hasRail} />
      {isSignedIn && <Desktop hasRail={hasRail} />}
      <PendingBar />
      <div className={cx(hasRail && 'ps-60')}>
        <div className="mx-auto flex min-h-dvh w-full max-w-[26.875rem] flex-col pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] has-data-panes:max-w-[60rem] sm:py-6 sm:has-data-panes:py-0">
          <ConnectionBanner />
          <NewVersion />
          <Guard key={written} access={access}>
            <Outlet />
          </Guard>
        </div>
      </div>
      {isSignedIn && <IdleWatch />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** Past the rail, for who goes by the keyboard. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => currentHeading()?.focus()}
      className="fixed start-4 top-4 z-40 min-h-11 -translate-y-24 rounded-full bg-primary px-5 font-semibold text-on-primary focus-visible:translate-y-0"
    >
      <Trans>Skip to Content</Trans>
    </button>
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

/** On a wide screen the name stands at the top, and faint growth rings wherever neither rail nor panes do. */
function Backdrop({ isPublic, hasRail }: { isPublic: boolean; hasRail: boolean }) {
  const { t } = useLingui()
  if (useRoom() === 'column') return null
  return (
    <>
      <div aria-hidden className="fixed inset-0 -z-10 overflow-hidden text-primary">
        {!hasRail && <Rings className="absolute -start-72 -bottom-72 size-[38rem] opacity-[0.14]" />}
        <Rings className="absolute -end-64 -top-64 size-[36rem] -scale-x-100 opacity-[0.1] [body:has([data-panes])_&]:hidden" />
      </div>
      <nav aria-label="Alder" className={cx('fixed z-10', hasRail ? 'start-5.5 top-5' : 'start-8 top-7')}>
        <Link
          to={isPublic ? paths.home : paths.dashboard}
          aria-label={isPublic ? t`Alder home page` : t`Alder dashboard`}
          className="block rounded-control p-1.5"
        >
          <Brand />
        </Link>
      </nav>
    </>
  )
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
