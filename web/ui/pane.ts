import { createContext, useContext } from 'react'

/**
 * The place of a screen: alone in a single column, or in one of two panes. `isCurrent` is true if the URL is the screen's own.
 */
export type Pane =
  | { part: 'column' }
  /** `opens` are the paths that open beside the list. `chosen` is the key of the open row; null if no row is open. */
  | { part: 'list'; isCurrent: boolean; opens: readonly string[]; chosen: string | null }
  /** `close` is the path without the detail pane; null if the pane always shows a screen. */
  | { part: 'detail'; isCurrent: boolean; close: string | null }

export const PaneContext = createContext<Pane>({ part: 'column' })

export function usePane(): Pane {
  return useContext(PaneContext)
}

/**
 * Returns the props of a row's link to `path` if it opens beside the list: the mark of the chosen row, and the option that
 * keeps the scroll position. `key` distinguishes rows with the same path.
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

/** The classes of the row whose details are open beside the list. */
export const CHOSEN_ROW =
  'relative aria-[current=true]:bg-primary-subtle aria-[current=true]:before:absolute aria-[current=true]:before:inset-y-2.5 aria-[current=true]:before:start-0 aria-[current=true]:before:w-1 aria-[current=true]:before:rounded-e-full aria-[current=true]:before:bg-primary'
