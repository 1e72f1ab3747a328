import { useLingui } from '@lingui/react/macro'
import type { CSSProperties, MouseEvent } from 'react'
import { Link, useLocation } from 'react-router'
import type { Overlay } from '#web/app/shell/shortcuts.ts'
import { paths } from '#web/lib/paths.ts'

/** The screens that belong to each tab. Screens without a tab belong to More. */
const TAB_OF_SCREEN: Record<string, readonly string[]> = {
  [paths.dashboard]: [],
  [paths.transactions]: [paths.transactionDetail, paths.statements],
  pay: [paths.transfer, paths.request, paths.splitBill, paths.addMoney, paths.claim],
  [paths.cards]: [],
}

/** Returns the tab of a screen. */
const tabOf = (pathname: string): string =>
  Object.keys(TAB_OF_SCREEN).find((tab) => tab === pathname || TAB_OF_SCREEN[tab]?.includes(pathname)) ?? 'more'

/**
 * The SVG paths of the five icons, in a square of 24. They are separate from the icon library, because a page would otherwise
 * wait for the library's other icons in the same file.
 */
const PICTURES = {
  home: 'M4 11l8-7 8 7v8a1.5 1.5 0 0 1-1.5 1.5H15v-6H9v6H5.5A1.5 1.5 0 0 1 4 19z',
  transactions: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5',
  pay: 'M4 8h16m-3.5-3.5L20 8l-3.5 3.5M20 16H4m3.5-3.5L4 16l3.5 3.5',
  cards:
    'M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3 10h18M7 14.5h3',
  more: 'M4.5 4.5h5v5h-5zm10 0h5v5h-5zm-10 10h5v5h-5zm10 0h5v5h-5z',
} as const

/** Returns the approximate width of a text in letters. A Chinese or Japanese character counts as 1.8 letters. */
const lettersOf = (text: string): number => Array.from(text).reduce((sum, letter) => sum + (letter < '⺀' ? 1 : 1.8), 0)

export type TabBarProps = {
  /** The sheet that is open; null if none is open. */
  opened: Overlay | null
  onOpen: (overlay: 'pay' | 'more') => void
}

/** The navigation at the bottom of a phone, within reach of a thumb. */
export function TabBar({ opened, onOpen }: TabBarProps) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const labels = [
    t`Home`,
    t`Transactions`,
    t({ message: 'Pay', comment: 'A tab with all ways to send, request, share and add money', context: 'tab' }),
    t`Cards`,
    t({ message: 'More', comment: 'Opens the list of further screens' }),
  ] as const
  const current = tabOf(pathname)
  const link = (path: string) => ({ path, isCurrent: current === path, isPage: pathname === path })
  const button = (sheet: 'pay' | 'more') => ({
    isCurrent: current === sheet,
    isOpen: opened === sheet,
    onOpen: () => onOpen(sheet),
  })
  return (
    <nav
      aria-label={t({ message: 'Main', comment: 'The name of the main navigation, for screen readers' })}
      className="tab-bar inset-x-0 bottom-0 z-20 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)]"
    >
      <ul
        className="mx-auto flex h-[calc(var(--tabs-height)-1px)] max-w-[32rem] items-stretch justify-between px-1"
        // The width that remains beside the padding is divided by the lengths of the labels.
        style={{ '--letters': lettersOf(labels.join('')) } as CSSProperties}
      >
        <TabLink picture="home" label={labels[0]} {...link(paths.dashboard)} />
        <TabLink picture="transactions" label={labels[1]} {...link(paths.transactions)} />
        <TabButton picture="pay" label={labels[2]} isMain {...button('pay')} />
        <TabLink picture="cards" label={labels[3]} {...link(paths.cards)} />
        <TabButton picture="more" label={labels[4]} {...button('more')} />
      </ul>
    </nav>
  )
}

const TAB_CLASS =
  'group flex size-full min-w-11 flex-col items-center justify-center gap-0.5 rounded-control text-ink-soft transition-colors duration-150 -outline-offset-2 select-none aria-[current]:text-primary'

type InsideProps = { picture: keyof typeof PICTURES; label: string; isMain?: boolean }

function Inside({ picture, label, isMain = false }: InsideProps) {
  return (
    <>
      <span
        className={
          isMain
            ? 'tab-icon bg-primary text-on-primary group-active:scale-95'
            : 'tab-icon group-hover:bg-muted group-active:scale-95 group-aria-[current]:bg-primary-subtle'
        }
      >
        <svg
          aria-hidden
          viewBox="0 0 24 24"
          className="size-6 rtl:-scale-x-100"
          fill="none"
          stroke="currentColor"
          strokeWidth={isMain ? 2.1 : 1.8}
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={PICTURES[picture]} />
        </svg>
      </span>
      <span className="tab-label">{label}</span>
    </>
  )
}

type TabLinkProps = InsideProps & { path: string; isCurrent: boolean; isPage: boolean }

/** A tab. On its own screen, it scrolls to the top. */
function TabLink({ path, isCurrent, isPage, ...inside }: TabLinkProps) {
  function onClick(event: MouseEvent): void {
    if (!isPage) return
    event.preventDefault()
    window.scrollTo({ top: 0, behavior: 'smooth' })
  }
  return (
    <li className="flex-auto">
      <Link
        to={path}
        onClick={onClick}
        {...(isCurrent && { 'aria-current': isPage ? 'page' : true })}
        className={TAB_CLASS}
      >
        <Inside {...inside} />
      </Link>
    </li>
  )
}

type TabButtonProps = InsideProps & { isCurrent: boolean; isOpen: boolean; onOpen: () => void }

function TabButton({ isCurrent, isOpen, onOpen, ...inside }: TabButtonProps) {
  return (
    <li className="flex-auto">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...(isCurrent && { 'aria-current': true })}
        onClick={onOpen}
        className={TAB_CLASS}
      >
        <Inside {...inside} />
      </button>
    </li>
  )
}
