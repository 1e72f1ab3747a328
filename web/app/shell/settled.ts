import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isPicture } from '#web/lib/picture.ts'

/** How long nothing has been asked for, and how long the first screen has at most. */
const QUIET_MS = 300
const MOST_MS = 3_000

/**
 * Whether the first screen has what it asked for. What nobody waits for is fetched from then on, and not beside it. A
 * picture never gets so far: nobody asks more of it.
 */
export function useSettled(): boolean {
  const queries = useQueryClient()
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    if (settled || isPicture()) return undefined
    let quiet: ReturnType<typeof setTimeout> | undefined
    const settle = () => setSettled(true)
    const look = () => {
      clearTimeout(quiet)
      quiet = queries.isFetching() === 0 ? setTimeout(settle, QUIET_MS) : undefined
    }
    const most = setTimeout(settle, MOST_MS)
    const stopListening = queries.getQueryCache().subscribe(look)
    look()
    return () => {
      clearTimeout(quiet)
      clearTimeout(most)
      stopListening()
    }
  }, [queries, settled])
  return settled
}
