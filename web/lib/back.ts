import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { cameFromScreen } from '#web/lib/history-entries.ts'

let pressed = false

/** Whether the arrow was pressed since this was last asked. */
export function takeArrowPressed(): boolean {
  const was = pressed
  pressed = false
  return was
}

/**
 * What the arrow of a screen has: it leads back to where the customer came from, as they left it, and who opened the
 * address itself is led to the screen above, which takes its place.
 */
export function useBack(above: string) {
  const navigate = useNavigate()
  return {
    to: above,
    replace: true,
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      pressed = true
      if (!cameFromScreen()) return
      event.preventDefault()
      void navigate(-1)
    },
  }
}
