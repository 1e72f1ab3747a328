import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

let current = Date.now()

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    current = Date.now()
    listener()
  }, MINUTE_MS)
  return () => clearInterval(timer)
}

/** Returns this device's time in milliseconds, updated every minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current)
}
