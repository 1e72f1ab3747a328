import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { type Location, Outlet, useLocation } from 'react-router'
import { useListKeys } from '#web/app/shell/list-keys.ts'
import { PaneContext } from '#web/ui/pane.ts'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

export type PanesProps = {
  list: ComponentType
  /** The path of the list. */
  home: string
  /** The paths that open beside the list. */
  opens: readonly string[]
  /** Returns the key of the open row in a URL; null if none is open. */
  chosenIn: (location: Location) => string | null
  /** Returns the URL without the open details; null if a screen is always open beside the list. */
  closedFrom: ((location: Location) => string) | null
}

/**
 * A list and its details. On a wide screen they are side by side; on a narrow screen only one of them is shown. The URLs are
 * the same in both cases. The second pane stays mounted when the window becomes narrow, so that typed text is kept.
 */
export function Panes({ list: List, home, opens, chosenIn, closedFrom }: PanesProps) {
  const isWide = useBreakpoint() === 'panes'
  const location = useLocation()
  const isOpen = location.pathname !== home
  const chosen = chosenIn(location)
  const close = closedFrom?.(location) ?? null
  const list = useMemo(() => ({ part: 'list' as const, isCurrent: !isOpen, opens, chosen }), [isOpen, opens, chosen])
  const detail = useMemo(
    () => (isWide ? { part: 'detail' as const, isCurrent: isOpen, close } : { part: 'column' as const }),
    [isWide, isOpen, close],
  )
  return (
    <div
      className={isWide ? 'grid flex-1 grid-cols-[minmax(0,26.875rem)_minmax(0,32rem)] gap-4' : 'flex flex-1 flex-col'}
      {...(isWide && { 'data-panes': true })}
    >
      {isWide && (
        <ListPane isOpen={isOpen} close={close}>
          <PaneContext value={list}>
            <Suspense fallback={<RowSkeletons count={8} />}>
              <List />
            </Suspense>
          </PaneContext>
        </ListPane>
      )}
      <PaneContext value={detail}>
        <DetailPane isWide={isWide} of={`${location.pathname} ${chosen}`}>
          <Outlet />
        </DetailPane>
      </PaneContext>
    </div>
  )
}

type ListPaneProps = { isOpen: boolean; close: string | null; children: ReactNode }

/** The pane of the list, which scrolls with the page. */
function ListPane({ isOpen, close, children }: ListPaneProps) {
  const onKeyDown = useListKeys({ isOpen, close })
  return (
    // The keys apply to the links inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div data-list onKeyDown={onKeyDown} className="flex flex-col">
      {children}
    </div>
  )
}

type DetailPaneProps = { isWide: boolean; of: string; children: ReactNode }

/**
 * The pane of the details, which stays visible while the list scrolls, and scrolls separately. It begins at the top for each
 * new screen.
 */
function DetailPane({ isWide, of: path, children }: DetailPaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    pane.current?.scrollTo(0, 0)
  }, [path])
  return (
    <div
      ref={pane}
      {...(isWide && { 'data-detail': true })}
      className={
        isWide ? 'sticky top-0 flex h-dvh flex-col overflow-y-auto overscroll-contain' : 'flex flex-1 flex-col'
      }
    >
      {children}
    </div>
  )
}

type HomeProps = { list: ComponentType; beside: ComponentType }

/**
 * The content at the list's own URL. On a narrow screen, it is the list. On a wide screen, it is the pane beside the list while
 * no details are open.
 */
export function Home({ list: List, beside: Beside }: HomeProps) {
  if (useBreakpoint() !== 'panes') return <List />
  return (
    <Suspense fallback={<RowSkeletons count={4} />}>
      <Beside />
    </Suspense>
  )
}
