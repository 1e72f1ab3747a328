import { useCallback, useEffect, useRef } from 'react'

/** Schedules an action after `delayMs`; leaving the screen cancels it, and so does the next one. */
export function useTimeout(): (action: () => void, delayMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((action, delayMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(action, delayMs)
  }, [])
}
