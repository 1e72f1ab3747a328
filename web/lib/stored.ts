import { useCallback, useState } from 'react'

/** A boolean kept on this device under `key`; without storage it lasts as long as the screen. */
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
        // No storage.
      }
    },
    [key],
  )
  return [on, set]
}
