import { useEffect, useRef } from 'react'

/** The heading of the screen that the address is about, which in two panes may be the second. */
export function currentHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-screen=current] h1') ?? document.querySelector<HTMLElement>('h1')
}

/**
 * A screen reader follows focus: on another screen it stands on that screen's heading. Whoever chooses in a list that
 * stays beside what it opens goes on in the list.
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
