import { useEffect } from 'react'

/** How long a screen has for itself before it fetches what it may open. */
const AFTER_MS = 1500

/** Fetches the code of something that may be opened, so that it is there by then. `load` is the same function each time. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
}
