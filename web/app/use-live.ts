import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { useLineUp } from '#web/lib/line.ts'

const loadLive = () => import('#web/app/live.ts')

/** Keeps the screen up to date with the bank. How that is done is fetched after the screen itself. */
export function useLive(on: boolean): void {
  const queries = useQueryClient()
  const isUp = useLineUp()
  const live = useOnDemand(loadLive, on && isUp)
  const navigate = useNavigate()
  const openScreen = useEffectEvent((path: string) => void navigate(path))
  useEffect(() => (on ? live?.listen(queries, (path) => openScreen(path)) : undefined), [on, live, queries])
}
