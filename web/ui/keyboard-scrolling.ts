import { type RefCallback, useCallback, useState } from 'react'

const TAKES_FOCUS = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * For what scrolls: where it is longer than its room and nothing in it takes the focus, it takes the focus itself, or nobody
 * could read all of it with a keyboard.
 */
export function useKeyboardScrolling(): { ref: RefCallback<HTMLElement>; tabIndex: 0 | undefined } {
  const [takesFocus, setTakesFocus] = useState(false)
  const ref = useCallback((scrolled: HTMLElement | null) => {
    if (!scrolled) return undefined
    const look = () =>
      setTakesFocus(scrolled.scrollHeight > scrolled.clientHeight && !scrolled.querySelector(TAKES_FOCUS))
    const sizes = new ResizeObserver(look)
    const watch = () => {
      sizes.disconnect()
      for (const part of [scrolled, ...scrolled.children]) sizes.observe(part)
    }
    const parts = new MutationObserver(watch)
    parts.observe(scrolled, { childList: true })
    watch()
    return () => {
      parts.disconnect()
      sizes.disconnect()
    }
  }, [])
  return { ref, tabIndex: takesFocus ? 0 : undefined }
}
