import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, LogOut, type LucideIcon, Search } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useLocation } from 'react-router'
import { MOD_KEY } from '#web/app/shell/mod-key.ts'
import type { Place } from '#web/app/shell/places.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { useObserved } from '#web/lib/observed.ts'
import { paths } from '#web/lib/paths.ts'
import { unread, unreadText } from '#web/lib/unread.ts'
import { cx } from '#web/ui/cx.ts'

/** In a low window they stand closer, for a mouse, so that all of them can be seen there at once. */
const ITEM =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 low:min-h-8 low:py-1 text-start text-[0.9375rem] font-medium text-ink-soft transition-colors duration-150 -outline-offset-2 hover:bg-muted hover:text-ink'

type RailProps = { places: readonly Place[]; onSearch: () => void }

/** The places of the bank beside the column, for who has room for it. */
export function Rail({ places, onSearch }: RailProps) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const at = (part: Place['rail']) => places.filter(({ rail }) => rail === part)
  const links = (part: Place['rail']) => at(part).map((place) => <PlaceLink key={place.path} place={place} />)
  return (
    <nav
      aria-label={t({ message: 'Main', comment: 'Names the list of the places of the bank, read out alone' })}
      className="fixed inset-y-0 start-0 flex w-64 animate-screen-in flex-col border-e border-line bg-canvas pt-22 pb-4 low:pt-20 low:pb-2"
    >
      <div className="px-3 pb-3 low:pb-2">
        <SearchButton onSearch={onSearch} />
      </div>
      <ul className="flex min-h-11 flex-1 flex-col gap-0.5 overflow-y-auto overscroll-contain px-3 low:gap-0">
        {links('first')}
        {/* Opens by itself on the way to one of them, and can be closed there. */}
        <More key={String(at('more').some((place) => isAt(place, pathname)))} places={at('more')}>
          {links('more')}
        </More>
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

function isAt({ path, holds = [] }: Place, pathname: string): boolean {
  return path === pathname || holds.includes(pathname)
}

/** `directed`: it points where one reads to. */
function Picture({ icon: Icon, directed = false }: { icon: LucideIcon; directed?: boolean }) {
  return <Icon aria-hidden className={cx('size-5 shrink-0', directed && 'rtl:-scale-x-100')} strokeWidth={1.9} />
}

/** For a place that is further down than a low window shows. */
function bringIntoView(link: HTMLElement | null): void {
  if (link?.hasAttribute('aria-current')) link.scrollIntoView({ block: 'nearest' })
}

function PlaceLink({ place }: { place: Place }) {
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
  const count = useObserved(unread)
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

function More({ places, children }: { places: readonly Place[]; children: ReactNode }) {
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
          <Trans comment="More places of the bank">More</Trans>
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
        <Trans comment="On the button that opens a search over all of the bank">Search</Trans>
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
