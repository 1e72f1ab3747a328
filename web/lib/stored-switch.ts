import { useCallback, useState } from 'react'

function readStored(key: string, initial: boolean): boolean {
  try {
    const value = localStorage.getItem(key)
    return value === null ? initial : value === 'on'
  } catch {
    return initial
  }
}

/**
 * Returns a boolean stored on this device under `key`, and its setter. Without storage, the value lasts as long as the screen.
 */
export function useStoredSwitch(key: string, initial: boolean): readonly [boolean, (on: boolean) => void] {
  const [state, setShown] = useState(() => ({ key, on: readStored(key, initial) }))
  if (state.key !== key) setShown({ key, on: readStored(key, initial) })
  const set = useCallback(
    (isOn: boolean) => {
      setShown({ key, on: isOn })
      try {
        localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch {
        // Storage may be unavailable.
      }
    },
    [key],
  )
  return [state.on, set]
}
