import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isEmbeddedPreview } from '#web/lib/embedded-preview.ts'

/** The time without requests after which the first screen counts as loaded, in milliseconds. */
const QUIET_MS = 300
/** The time after which the first screen counts as loaded even if requests are running, in milliseconds. */
const MAX_WAIT_MS = 3_000

/**
 * Returns whether the first screen has its data. Code that no one waits for is loaded from then on. In an embedded preview, the
 * result is always false, because a preview needs no more code.
 */
export function useFirstDataLoaded(): boolean {
  const queries = useQueryClient()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (isLoaded || isEmbeddedPreview()) return undefined
    let quietTimer: ReturnType<typeof setTimeout> | undefined
    const settle = () => setLoaded(true)
    const check = () => {
      clearTimeout(quietTimer)
      quietTimer = queries.isFetching() === 0 ? setTimeout(settle, QUIET_MS) : undefined
    }
    const timeout = setTimeout(settle, MAX_WAIT_MS)
    const stopListening = queries.getQueryCache().subscribe(check)
    check()
    return () => {
      clearTimeout(quietTimer)
      clearTimeout(timeout)
      stopListening()
    }
  }, [queries, isLoaded])
  return isLoaded
}
