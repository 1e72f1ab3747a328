import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { LogOut, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { type NavigationItem, NAVIGATION_ITEMS } from '#web/app/shell/navigation-items.ts'
import type { TabSheetProps } from '#web/app/shell/tab-sheet-props.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { meQuery } from '#web/lib/me.ts'
import { useObservable } from '#web/lib/observable.ts'
import { paths } from '#web/lib/paths.ts'
import { unreadCount, unreadText } from '#web/lib/unread-count.ts'
import { cx } from '#web/ui/cx.ts'
import { Card } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** The screens of the tab bar itself and of the sheet Pay that this sheet does not repeat. */
const ELSEWHERE = new Set<string>([
  paths.dashboard,
  paths.transactions,
  paths.cards,
  paths.transfer,
  paths.request,
  paths.splitBill,
  paths.addMoney,
])

const TINTS = ['text-primary', 'text-blue', 'text-orange', 'text-purple'] as const

/** The sheet with all other screens, and with the payment methods, which the sheet Pay contains too. */
export function MoreSheet({ open, onClose, linkTo, onSearch }: TabSheetProps & { onSearch: () => void }) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const isSample = useQuery(meQuery).data?.mode === 'sample'
  const places = NAVIGATION_ITEMS.filter(({ path, sampleOnly }) => !ELSEWHERE.has(path) && (!sampleOnly || isSample))
  const isTile = ({ rail }: NavigationItem) => rail === 'first' || rail === 'more'
  const link = ({ path }: NavigationItem) => ({
    ...linkTo(path),
    ...(path === pathname && { 'aria-current': 'page' as const }),
  })
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t({ message: 'More', comment: 'Opens the list of further screens' })}
      description={t`Everything else in Alder.`}
    >
      <div className="flex flex-col gap-4">
        <SearchButton onSearch={onSearch} />
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(4.75rem,100%),1fr))] gap-2">
          {places.filter(isTile).map((place, index) => (
            <li key={place.path}>
              <Link
                {...link(place)}
                className="flex h-full min-h-22 flex-col items-center justify-center gap-2 rounded-control border border-line bg-surface px-1 py-2 text-center text-sm leading-tight font-medium transition-colors duration-150 hover:bg-muted/60 active:bg-muted aria-[current]:border-primary aria-[current]:text-primary"
              >
                <place.icon
                  aria-hidden
                  className={cx('size-6 shrink-0', TINTS[index % TINTS.length])}
                  strokeWidth={1.8}
                />
                <span className="max-w-full hyphens-auto">{t(place.label)}</span>
              </Link>
            </li>
          ))}
        </ul>
        <Card>
          <ul className="divide-y divide-line">
            {places
              .filter((place) => !isTile(place))
              .map((place) => (
                <li key={place.path}>
                  <Link {...link(place)} className={LINE}>
                    <Inside place={place}>{t(place.label)}</Inside>
                    {place.path === paths.notifications && <Unread />}
                  </Link>
                </li>
              ))}
            <li>
              <LogOutButton />
            </li>
          </ul>
        </Card>
      </div>
    </Sheet>
  )
}

const LINE =
  'flex min-h-13 w-full items-center gap-3.5 px-4 py-2 text-start font-medium transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted aria-[current]:text-primary'

type InsideProps = { place: Pick<NavigationItem, 'icon'>; directed?: boolean; children: ReactNode }

function Inside({ place, directed = false, children }: InsideProps) {
  return (
    <>
      <place.icon
        aria-hidden
        className={cx('size-5 shrink-0 text-ink-soft', directed && 'rtl:-scale-x-100')}
        strokeWidth={1.9}
      />
      <span className="min-w-0 flex-1">{children}</span>
    </>
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

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onSearch}
      className="flex min-h-12 w-full shrink-0 items-center gap-3 rounded-full border border-line bg-surface px-4 text-start text-ink-soft shadow-card transition-colors duration-150 hover:border-line-strong"
    >
      <Search aria-hidden className="size-5 shrink-0" strokeWidth={1.9} />
      <Trans comment="The label of the button that opens the search over the whole app">Search</Trans>
    </button>
  )
}

function LogOutButton() {
  const { signOut, busy } = useSignOut()
  return (
    // The label is inside `Inside`.
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label
    <button type="button" onClick={signOut} disabled={busy} aria-busy={busy || undefined} className={LINE}>
      <Inside place={{ icon: LogOut }} directed>
        <Trans>Log Out</Trans>
      </Inside>
    </button>
  )
}
