import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, LogOut, type LucideIcon, Search } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useLocation } from 'react-router'
import { MOD_KEY } from '#web/app/shell/mod-key.ts'
import type { NavigationItem } from '#web/app/shell/navigation-items.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { useObservable } from '#web/lib/observable.ts'
import { paths } from '#web/lib/paths.ts'
import { unreadCount, unreadText } from '#web/lib/unread-count.ts'
import { cx } from '#web/ui/cx.ts'

/** In a low window of a device with a mouse, the items are closer together, so that more of them are visible. */
const ITEM =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 low:min-h-8 low:py-1 text-start text-[0.9375rem] font-medium text-ink-soft transition-colors duration-150 -outline-offset-2 hover:bg-muted hover:text-ink'

type RailProps = { places: readonly NavigationItem[]; onSearch: () => void }

/** The navigation beside the column on a wide screen. */
export function NavigationRail({ places, onSearch }: RailProps) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const placesIn = (part: NavigationItem['rail']) => places.filter(({ rail }) => rail === part)
  const links = (part: NavigationItem['rail']) =>
    placesIn(part).map((place) => <PlaceLink key={place.path} place={place} />)
  return (
    <nav
      aria-label={t({ message: 'Main', comment: 'The name of the main navigation, for screen readers' })}
      className="fixed inset-y-0 start-0 flex w-64 animate-screen-in flex-col border-e border-line bg-canvas pt-22 pb-4 low:pt-20 low:pb-2"
    >
      <div className="px-3 pb-3 low:pb-2">
        <SearchButton onSearch={onSearch} />
      </div>
      <ul className="flex min-h-11 flex-1 flex-col gap-0.5 overflow-y-auto overscroll-contain px-3 low:gap-0">
        {links('first')}
        {/* The group opens automatically if it contains the current screen. The customer can close it again. */}
        <MorePlaces key={String(placesIn('more').some((place) => isAt(place, pathname)))} places={placesIn('more')}>
          {links('more')}
        </MorePlaces>
      </ul>
      <ul className="mx-3 flex flex-col gap-0.5 border-t border-line pt-3 low:gap-0 low:pt-1.5">
        {links('last')}
        <li>
          <LogOutButton />
        </li>
      </ul>
    </nav>
  )
}

function isAt({ path, holds = [] }: NavigationItem, pathname: string): boolean {
  return path === pathname || holds.includes(pathname)
}

/** The icon of an item. `directed` icons point in the reading direction. */
function Picture({ icon: Icon, directed = false }: { icon: LucideIcon; directed?: boolean }) {
  return <Icon aria-hidden className={cx('size-5 shrink-0', directed && 'rtl:-scale-x-100')} strokeWidth={1.9} />
}

/** Scrolls the current item into view in a low window. */
function bringIntoView(link: HTMLElement | null): void {
  if (link?.hasAttribute('aria-current')) link.scrollIntoView({ block: 'nearest' })
}

function PlaceLink({ place }: { place: NavigationItem }) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  return (
    <li>
      <Link
        ref={bringIntoView}
        to={place.path}
        {...(isAt(place, pathname) && { 'aria-current': place.path === pathname ? 'page' : true })}
        className={cx(
          ITEM,
          'aria-[current]:bg-primary-subtle aria-[current]:font-semibold aria-[current]:text-primary',
        )}
      >
        <Picture icon={place.icon} />
        <span className="min-w-0 flex-1">{t(place.label)}</span>
        {place.path === paths.notifications && <Unread />}
      </Link>
    </li>
  )
}

function Unread() {
  const count = useObservable(unreadCount)
  if (count === 0) return null
  return (
    <>
      <span
        aria-hidden
        className="min-w-6 rounded-full bg-danger px-1.5 text-center text-xs leading-6 font-semibold text-on-danger tabular-nums"
      >
        {unreadText(count)}
      </span>
      <span className="sr-only">
        <Plural value={count} one="# unread" other="# unread" />
      </span>
    </>
  )
}

function MorePlaces({ places, children }: { places: readonly NavigationItem[]; children: ReactNode }) {
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(() => places.some((place) => isAt(place, pathname)))
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          flushSync(() => setOpen(!isOpen))
          list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
        }}
        className={cx(ITEM, 'aria-expanded:[&>svg]:rotate-180')}
      >
        <Picture icon={ChevronDown} />
        <span className="min-w-0 flex-1">
          <Trans comment="Opens the list of further screens">More</Trans>
        </span>
      </button>
      <ul ref={list} id={id} hidden={!isOpen} className="mt-0.5 space-y-0.5 low:mt-0 low:space-y-0">
        {children}
      </ul>
    </li>
  )
}

function SearchButton({ onSearch }: Pick<RailProps, 'onSearch'>) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onSearch}
      className="flex min-h-11 w-full shrink-0 items-center gap-3 rounded-full border border-line bg-surface px-3.5 text-start text-[0.9375rem] text-ink-soft shadow-card transition-colors duration-150 hover:border-line-strong"
    >
      <Picture icon={Search} />
      <span className="min-w-0 flex-1">
        <Trans comment="The label of the button that opens the search over the whole app">Search</Trans>
      </span>
      <kbd aria-hidden dir="ltr" className="font-sans text-sm">
        {MOD_KEY} K
      </kbd>
    </button>
  )
}

function LogOutButton() {
  const { signOut, busy } = useSignOut()
  return (
    <button type="button" onClick={signOut} disabled={busy} aria-busy={busy || undefined} className={ITEM}>
      <Picture icon={LogOut} directed />
      <span className="min-w-0 flex-1">
        <Trans>Log Out</Trans>
      </span>
    </button>
  )
}
