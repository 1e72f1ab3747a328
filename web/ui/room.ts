import { observed, useObserved } from '#web/lib/observed.ts'

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
function watch(): void {
  const rem = document.createElement('div')
  rem.style.cssText = 'position: fixed; inline-size: 1rem; block-size: 1rem; visibility: hidden; pointer-events: none'
  document.body.append(rem)
  const observer = new ResizeObserver(() => room.set(measure()))
  observer.observe(document.documentElement)
  observer.observe(rem)
}

/** To measure has the browser lay out the page, so it is done only when something has changed. */
const room = observed(() => {
  watch()
  return measure()
})

/** What there is room for at this moment. */
export const roomNow = room.get

export const useRoom = (): Room => useObserved(room)
