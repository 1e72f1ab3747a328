import { useEffect, useState } from 'react'

/**
 * What `load` brings once it is first `wanted`; null until then. Where it does not come, `onFail` is told and the next
 * time it is wanted it is asked for again.
 */
export function useOnDemand<Loaded>(load: () => Promise<Loaded>, wanted: boolean, onFail?: () => void): Loaded | null {
  const [loaded, setLoaded] = useState<{ value: Loaded } | null>(null)
  useEffect(() => {
    if (!wanted || loaded) return undefined
    let isStale = false
    load().then(
      (value) => !isStale && setLoaded({ value }),
      () => !isStale && onFail?.(),
    )
    return () => {
      isStale = true
    }
  }, [wanted, loaded, load, onFail])
  return loaded?.value ?? null
}
