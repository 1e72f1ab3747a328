import { useSyncExternalStore } from 'react'

/** What there is room for: the column alone, a rail beside it, or a list and its details side by side. */
export type Room = 'column' | 'rail' | 'panes'

/** 1024 and 1200 px at the usual text size; larger text needs a wider window. */
const FROM_REM = { rail: 64, panes: 75 }

function measure(): Room {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const width = window.innerWidth / rem
  if (width >= FROM_REM.panes) return 'panes'
  return width >= FROM_REM.rail ? 'rail' : 'column'
}

/** A change of the text size shows in the page's own size. */
function subscribe(listener: () => void): () => void {
  const observer = new ResizeObserver(listener)
  observer.observe(document.documentElement)
  return () => observer.disconnect()
}

export function useRoom(): Room {
  return useSyncExternalStore(subscribe, measure)
}

/** The same at this moment, for what is no component. */
export const roomNow = measure
