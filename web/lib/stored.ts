import { useCallback, useState } from 'react'

function kept(key: string, initial: boolean): boolean {
  try {
    const value = localStorage.getItem(key)
    return value === null ? initial : value === 'on'
  } catch {
    return initial
  }
}

/** A boolean kept on this device under `key`; without storage it lasts as long as the screen. */
export function useStoredSwitch(key: string, initial: boolean): readonly [boolean, (on: boolean) => void] {
  const [shown, setShown] = useState(() => ({ key, on: kept(key, initial) }))
  if (shown.key !== key) setShown({ key, on: kept(key, initial) })
  const set = useCallback(
    (on: boolean) => {
      setShown({ key, on })
      try {
        localStorage.setItem(key, on ? 'on' : 'off')
      } catch {
        // No storage.
      }
    },
    [key],
  )
  return [shown.on, set]
}
