import { createContext, useContext } from 'react'

/** Where a screen stands: alone in the column, or in one of two panes. `isCurrent`: the address is this screen's own. */
export type Pane =
  | { part: 'column' }
  /** `opens`: the paths that open beside the list. `chosen`: the key of the row that is open there. */
  | { part: 'list'; isCurrent: boolean; opens: readonly string[]; chosen: string | null }
  /** `close`: where to go to be without it; null where something always stands here. */
  | { part: 'detail'; isCurrent: boolean; close: string | null }

export const PaneContext = createContext<Pane>({ part: 'column' })

export function usePane(): Pane {
  return useContext(PaneContext)
}

/**
 * What a row's link to `path` is given where it opens beside its list: the mark of the chosen row, and the list stays
 * where it was scrolled to. `key` tells apart rows that lead to one path.
 */
export function useRowLink(path: string | undefined, key = path) {
  const pane = usePane()
  if (pane.part !== 'list' || path === undefined || !pane.opens.includes(path)) return {}
  return {
    'data-row': true,
    preventScrollReset: true,
    ...(pane.chosen === key && { 'aria-current': true }),
  } as const
}

/** How a row looks whose details are open beside the list. */
export const CHOSEN_ROW =
  'relative aria-[current=true]:bg-primary-subtle aria-[current=true]:before:absolute aria-[current=true]:before:inset-y-2.5 aria-[current=true]:before:start-0 aria-[current=true]:before:w-1 aria-[current=true]:before:rounded-e-full aria-[current=true]:before:bg-primary'
