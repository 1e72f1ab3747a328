import { useEffect, useRef } from 'react'

/** Returns the heading of the current screen, which may be in the second pane; null if there is no heading. */
export function currentHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-screen=current] h1') ?? document.querySelector<HTMLElement>('h1')
}

/**
 * Moves the focus to the heading of a new screen, because screen readers follow the focus. If the customer chose a row in a
 * list that stays beside its details, the focus stays in the list.
 */
export function useFocusOnChange(pathname: string): void {
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    if (document.activeElement?.closest('[data-list]')) return
    currentHeading()?.focus({ preventScroll: true })
  }, [pathname])
}
