import { useCallback, useEffect, useRef } from 'react'
import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router'
import { closeSheetsAndNavigate } from '#web/lib/address-sheet.ts'

/** Returns a function that schedules an action after `delayMs`. Leaving the screen or scheduling another action cancels it. */
export function useTimeout(): (action: () => void, delayMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((action, delayMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(action, delayMs)
  }, [])
}

/**
 * Returns a function that opens another screen after the customer has had time to read the toast, unless this screen is left
 * earlier. The new screen replaces this one, whose form is finished, so that Back leads to the screen before it.
 */
export function useRedirect(): (to: To, options?: NavigateOptions & { afterMs?: number }) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const schedule = useTimeout()
  return (to, { afterMs = 1500, ...options } = {}) =>
    schedule(
      () => closeSheetsAndNavigate(() => void navigate(to, { replace: location.pathname === pathname, ...options })),
      afterMs,
    )
}
