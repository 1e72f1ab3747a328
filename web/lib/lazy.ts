import { useEffect, useEffectEvent, useState } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { toast } from '#web/lib/toast.ts'

/**
 * Returns a value that is loaded when `isWanted` is first true; null until the value has loaded. If loading fails, `onFail` is
 * called, and a new attempt starts the next time that `isWanted` becomes true. `load` must be the same function in each render.
 */
export function useLazy<Loaded>(load: () => Promise<Loaded>, isWanted: boolean, onFail?: () => void): Loaded | null {
  const [loaded, setLoaded] = useState<{ value: Loaded } | null>(null)
  const reportFailure = useEffectEvent(() => onFail?.())
  useEffect(() => {
    if (!isWanted || loaded) return undefined
    let isStale = false
    load().then(
      (value) => !isStale && setLoaded({ value }),
      () => !isStale && reportFailure(),
    )
    return () => {
      isStale = true
    }
  }, [isWanted, loaded, load])
  return loaded?.value ?? null
}

/** The delay between a screen and the preloading of the parts that it may open. */
const AFTER_MS = 1500

/** Preloads a part that may be opened on a screen, after the screen itself. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
}

/**
 * Returns a part that is loaded when it is first opened; null until the part has loaded. If loading fails, an error is shown
 * and the part is closed.
 */
export function useLazyWhenOpen<Loaded>(load: () => Promise<Loaded>, open: boolean, close: () => void): Loaded | null {
  usePreload(load)
  return useLazy(load, open, () => {
    toast.error(errorText('unreachable'))
    close()
  })
}
