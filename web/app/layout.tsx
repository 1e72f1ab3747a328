import { Trans, useLingui } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { Brand } from '#web/app/brand.tsx'
import { Guard, useAccess } from '#web/app/guard.tsx'
import { useLive } from '#web/app/use-live.ts'
import { useOwnLanguage } from '#web/app/own-language.ts'
import { IdleWatch } from '#web/identity/session/idle-watch.tsx'
import { paths } from '#web/lib/paths.ts'
import { Rings } from '#web/ui/rings.tsx'

/** What every screen shares: the column it stands in, the live connection, focus and scrolling on a change of screen. */
export function Layout() {
  const { pathname } = useLocation()
  const access = useAccess()
  useLive(access === 'signed_in')
  const written = useOwnLanguage(access === 'signed_in')
  useFocusOnChange(pathname)
  return (
    <>
      <Backdrop isPublic={access === 'public'} />
      <PendingBar />
      <div className="mx-auto flex min-h-dvh w-full max-w-[26.875rem] flex-col pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] sm:py-6">
        <OfflineBanner />
        <Guard key={written} access={access}>
          <Outlet />
        </Guard>
      </div>
      {access === 'signed_in' && <IdleWatch />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** Whatever is loaded anew has the one key 'default': without its path a screen would begin where another was left. */
function scrollKey({ key, pathname }: { key: string; pathname: string }): string {
  return key === 'default' ? pathname : key
}

/** On a wide screen the column stands free; the name and faint growth rings are all that is around it. */
function Backdrop({ isPublic }: { isPublic: boolean }) {
  const { t } = useLingui()
  return (
    <div className="hidden lg:block">
      <div aria-hidden className="fixed inset-0 -z-10 overflow-hidden text-primary">
        <Rings className="absolute -start-72 -bottom-72 size-[38rem] opacity-[0.14]" />
        <Rings className="absolute -end-64 -top-64 size-[36rem] -scale-x-100 opacity-[0.1]" />
      </div>
      <nav aria-label="Alder" className="fixed start-8 top-7 z-10">
        <Link
          to={isPublic ? paths.home : paths.dashboard}
          aria-label={isPublic ? t`Alder home page` : t`Alder dashboard`}
          className="block rounded-control p-1.5"
        >
          <Brand />
        </Link>
      </nav>
    </div>
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

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

function OfflineBanner() {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="mx-4 mt-3 flex items-center gap-3 rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <CloudOff aria-hidden className="size-5 shrink-0" strokeWidth={2} />
          <Trans>You're offline. What you see may be out of date.</Trans>
        </p>
      )}
    </div>
  )
}

/** A screen reader follows focus: on another screen it stands on that screen's heading. */
function useFocusOnChange(pathname: string): void {
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])
}
