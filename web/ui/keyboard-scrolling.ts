import { type RefCallback, useCallback, useState } from 'react'

const TAKES_FOCUS = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * Makes a scrollable element focusable if its content is longer than its height and contains no focusable element. Otherwise
 * keyboard users could not scroll it.
 */
export function useKeyboardScrolling(): { ref: RefCallback<HTMLElement>; tabIndex: 0 | undefined } {
  const [takesFocus, setTakesFocus] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const update = () =>
      setTakesFocus(element.scrollHeight > element.clientHeight && !element.querySelector(TAKES_FOCUS))
    const sizes = new ResizeObserver(update)
    const watch = () => {
      sizes.disconnect()
      for (const part of [element, ...element.children]) sizes.observe(part)
    }
    const parts = new MutationObserver(watch)
    parts.observe(element, { childList: true })
    watch()
    return () => {
      parts.disconnect()
      sizes.disconnect()
    }
  }, [])
  return { ref, tabIndex: takesFocus ? 0 : undefined }
}
