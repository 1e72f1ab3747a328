import { useCallback, useEffect, useRef } from 'react'
import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router'
import { leaveSheets } from '#web/lib/address-sheet.ts'

/** Schedules an action after `delayMs`; leaving the screen cancels it, and so does the next one. */
export function useTimeout(): (action: () => void, delayMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((action, delayMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(action, delayMs)
  }, [])
}

/**
 * Opens another screen once the toast about what was done has been read, unless this one is left before. It takes this one's
 * place, whose form is done with: the way back leads to where the customer came from.
 */
export function useRedirect(): (to: To, options?: NavigateOptions & { afterMs?: number }) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const schedule = useTimeout()
  return (to, { afterMs = 1500, ...options } = {}) =>
    schedule(
      () => leaveSheets(() => void navigate(to, { replace: location.pathname === pathname, ...options })),
      afterMs,
    )
}
