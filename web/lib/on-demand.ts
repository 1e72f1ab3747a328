import { useEffect, useEffectEvent, useState } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { toast } from '#web/lib/toast.ts'

/**
 * What `load` brings once it is first `wanted`; null until then. Where it does not come, `onFail` is told and the next
 * time it is wanted it is asked for again. `load` is the same function each time.
 */
export function useOnDemand<Loaded>(load: () => Promise<Loaded>, wanted: boolean, onFail?: () => void): Loaded | null {
  const [loaded, setLoaded] = useState<{ value: Loaded } | null>(null)
  const fail = useEffectEvent(() => onFail?.())
  useEffect(() => {
    if (!wanted || loaded) return undefined
    let isStale = false
    load().then(
      (value) => !isStale && setLoaded({ value }),
      () => !isStale && fail(),
    )
    return () => {
      isStale = true
    }
  }, [wanted, loaded, load])
  return loaded?.value ?? null
}

/** How long a screen has for itself before it fetches what it may open. */
const AFTER_MS = 1500

/** Fetches what may be wanted on a screen, after the screen itself. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
}

/** What a person may open: there from the first time it is `open`. Where it does not come, they are told and it is closed. */
export function useOpened<Loaded>(load: () => Promise<Loaded>, open: boolean, close: () => void): Loaded | null {
  usePreload(load)
  return useOnDemand(load, open, () => {
    toast.error(errorText('unreachable'))
    close()
  })
}
