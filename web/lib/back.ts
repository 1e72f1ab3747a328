import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { hasPreviousScreen } from '#web/lib/history-entries.ts'

let pressed = false

/** Returns whether the back arrow was pressed since the last call. */
export function takeBackPressed(): boolean {
  const was = pressed
  pressed = false
  return was
}

/**
 * Returns the props of a screen's back arrow. It leads to the previous screen, in its earlier state. If the URL was opened
 * directly, it leads to the parent screen, which replaces this one in the history.
 */
export function useBack(above: string) {
  const navigate = useNavigate()
  return {
    to: above,
    replace: true,
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      pressed = true
      if (!hasPreviousScreen()) return
      event.preventDefault()
      void navigate(-1)
    },
  }
}
