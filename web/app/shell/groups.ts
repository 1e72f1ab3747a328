import { type ComponentType, createElement, lazy } from 'react'
import type { RouteObject } from 'react-router'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import type { PanesProps } from '#web/app/shell/panes.tsx'
import { loadTabs } from '#web/app/shell/tabs.ts'
import { roomNow } from '#web/ui/room.ts'

type Load = () => Promise<ComponentType>

const later = (load: Load) => lazy(async () => ({ default: await loadScreen(load) }))

export type GroupProps = Omit<PanesProps, 'list'> & {
  list: Load
  /** What stands beside the list while nothing is open; left out where the list has another address group of its own. */
  beside?: Load
  children: RouteObject[]
}

/** The routes of a list and of what opens beside it. The list is there with the first of them, where it is shown. */
export function listWithDetails({ list, beside, children, ...panes }: GroupProps): RouteObject {
  const home = beside && {
    path: panes.home,
    lazy: {
      Component: () =>
        loadScreen(async () => {
          const [{ Home }, List] = await Promise.all([import('#web/app/shell/panes.tsx'), list(), loadTabs(panes.home)])
          const Beside = later(beside)
          return () => createElement(Home, { list: List, beside: Beside })
        }),
    },
  }
  return {
    lazy: {
      Component: () =>
        loadScreen(async () => {
          const isWide = roomNow() === 'panes'
          const [{ Panes }, loaded] = await Promise.all([import('#web/app/shell/panes.tsx'), isWide ? list() : null])
          const List = loaded ?? later(list)
          return () => createElement(Panes, { ...panes, list: List })
        }),
    },
    children: [...(home ? [home] : []), ...children],
  }
}
