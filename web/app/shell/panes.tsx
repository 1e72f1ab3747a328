import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { type Location, Outlet, useLocation } from 'react-router'
import { useListKeys } from '#web/app/shell/list-keys.ts'
import { PaneContext } from '#web/ui/pane.ts'
import { useRoom } from '#web/ui/room.ts'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

export type PanesProps = {
  list: ComponentType
  /** The path of the list itself. */
  home: string
  /** The paths that open beside it. */
  opens: readonly string[]
  /** The key of the row that an address has open; null where it has none. */
  chosenIn: (location: Location) => string | null
  /** The address without what it has open; null where something always stands beside the list. */
  closedFrom: ((location: Location) => string) | null
}

/**
 * Where there is room, a list with what is open of it beside it; else one screen after the other, at the same
 * addresses. The second pane keeps its place in the page when there is no longer room, and so what was typed in it.
 */
export function Panes({ list: List, home, opens, chosenIn, closedFrom }: PanesProps) {
  const isWide = useRoom() === 'panes'
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

/** Scrolls with the page. */
function ListPane({ isOpen, close, children }: ListPaneProps) {
  const onKeyDown = useListKeys({ isOpen, close })
  return (
    // The keys belong to the links in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div data-list onKeyDown={onKeyDown} className="flex flex-col">
      {children}
    </div>
  )
}

type DetailPaneProps = { isWide: boolean; of: string; children: ReactNode }

/** Stays in view while the list scrolls, and scrolls by itself. Begins at the top for whatever is opened next. */
function DetailPane({ isWide, of, children }: DetailPaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  const shown = useRef(of)
  useEffect(() => {
    if (shown.current === of) return
    shown.current = of
    pane.current?.scrollTo(0, 0)
  }, [of])
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

/** At the address of the list itself: the list where it is alone, else what stands beside it while nothing is open. */
export function Home({ list: List, beside: Beside }: HomeProps) {
  if (useRoom() !== 'panes') return <List />
  return (
    <Suspense fallback={<RowSkeletons count={4} />}>
      <Beside />
    </Suspense>
  )
}
