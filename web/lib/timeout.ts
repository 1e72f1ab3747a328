import { useCallback, useEffect, useRef } from 'react'

/** Runs something after `delayMs`, unless the screen has gone by then. */
export function useTimeout(): (action: () => void, delayMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((action, delayMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(action, delayMs)
  }, [])
}
