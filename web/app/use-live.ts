import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { useLineUp } from '#web/lib/line.ts'

const loadLive = () => import('#web/app/live.ts')

/** Keeps the screen up to date with the bank. How that is done is fetched after the screen itself. */
export function useLive(on: boolean): void {
  const queries = useQueryClient()
  const isUp = useLineUp()
  const live = useOnDemand(loadLive, on && isUp)
  useEffect(() => (on ? live?.listen(queries) : undefined), [on, live, queries])
}
