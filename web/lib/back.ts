import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { hasPreviousScreen } from '#web/lib/history-entries.ts'

let wasPressed = false

/** Returns whether the back arrow was pressed since the last call. */
export function takeBackPressed(): boolean {
  const was = wasPressed
  wasPressed = false
  return was
}

/**
 * Returns the props of a screen's back arrow. It leads to the previous screen, in its earlier state. If the URL was opened
 * directly, it leads to the parent screen, which replaces this one in the history.
 */
export function useBack(parentPath: string) {
  const navigate = useNavigate()
  return {
    to: parentPath,
    replace: true,
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      wasPressed = true
      if (!hasPreviousScreen()) return
      event.preventDefault()
      void navigate(-1)
    },
  }
}
