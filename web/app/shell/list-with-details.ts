import { type ComponentType, createElement, lazy } from 'react'
import type { RouteObject } from 'react-router'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import type { PanesProps } from '#web/app/shell/panes.tsx'
import { loadTabs } from '#web/app/shell/tabs.ts'
import { readBreakpoint } from '#web/ui/breakpoint.ts'

type Load = () => Promise<ComponentType>

const loadLazily = (load: Load) => lazy(async () => ({ default: await loadScreen(load) }))

export type ListWithDetailsProps = Omit<PanesProps, 'list'> & {
  list: Load
  /** The screen beside the list while no details are open; missing if the list is part of another group. */
  beside?: Load
  children: RouteObject[]
}

/** Returns the routes of a list and its details. The list's code loads when a route first shows the list. */
export function listWithDetails({ list, beside, children, ...panes }: ListWithDetailsProps): RouteObject {
  const home = beside && {
    path: panes.home,
    lazy: {
      Component: () =>
        loadScreen(async () => {
          const [{ Home }, List] = await Promise.all([import('#web/app/shell/panes.tsx'), list(), loadTabs(panes.home)])
          const Beside = loadLazily(beside)
          return () => createElement(Home, { list: List, beside: Beside })
        }),
    },
  }
  return {
    lazy: {
      Component: () =>
        loadScreen(async () => {
          const isWide = readBreakpoint() === 'panes'
          const [{ Panes }, loadedList] = await Promise.all([
            import('#web/app/shell/panes.tsx'),
            isWide ? list() : null,
          ])
          const List = loadedList ?? loadLazily(list)
          return () => createElement(Panes, { ...panes, list: List })
        }),
    },
    children: [...(home ? [home] : []), ...children],
  }
}
