import { createObservable, useObservable } from '#web/lib/observable.ts'

/** The layouts by available width: a single column, a column with a navigation rail, or a list and its details side by side. */
export type Breakpoint = 'column' | 'rail' | 'panes'

/** 1024 and 1200 px at the default text size. Larger text needs a wider window. */
const FROM_REM = { rail: 64, panes: 75 }

function measure(): Breakpoint {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const width = window.innerWidth / rem
  if (width >= FROM_REM.panes) return 'panes'
  return width >= FROM_REM.rail ? 'rail' : 'column'
}

/** Watches the width of the page and the text size. The text size is measured by an element that is 1 rem wide. */
function watch(): void {
  const rem = document.createElement('div')
  rem.style.cssText = 'position: fixed; inline-size: 1rem; block-size: 1rem; visibility: hidden; pointer-events: none'
  document.body.append(rem)
  const observer = new ResizeObserver(() => breakpoint.set(measure()))
  observer.observe(document.documentElement)
  observer.observe(rem)
}

/** Measuring makes the browser lay out the page, so it is done only after a change. */
const breakpoint = createObservable(() => {
  watch()
  return measure()
})

/** Returns the current layout. */
export const readBreakpoint = breakpoint.get

export const useBreakpoint = (): Breakpoint => useObservable(breakpoint)
