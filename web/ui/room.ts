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

/** The window's width shows in the page's own; the text size in something that is as large as it. */
function subscribe(listener: () => void): () => void {
  const rem = document.createElement('div')
  rem.style.cssText = 'position: fixed; inline-size: 1rem; block-size: 1rem; visibility: hidden; pointer-events: none'
  document.body.append(rem)
  const observer = new ResizeObserver(listener)
  observer.observe(document.documentElement)
  observer.observe(rem)
  return () => {
    observer.disconnect()
    rem.remove()
  }
}

export function useRoom(): Room {
  return useSyncExternalStore(subscribe, measure)
}

/** The same at this moment, for what is no component. */
export const roomNow = measure
