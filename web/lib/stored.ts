import { useCallback, useState } from 'react'

/** A switch kept on this device under `key`; where storage is closed, it lasts as long as the screen. */
export function useStoredSwitch(key: string, initial: boolean): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      const kept = localStorage.getItem(key)
      return kept === null ? initial : kept === 'on'
    } catch {
      return initial
    }
  })
  const set = useCallback(
    (next: boolean) => {
      setOn(next)
      try {
        localStorage.setItem(key, next ? 'on' : 'off')
      } catch {
        // Nothing to keep it in.
      }
    },
    [key],
  )
  return [on, set]
}
