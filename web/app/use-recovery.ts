import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { canKeep } from '#web/app/kept/start.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'

const loadRecovery = () => import('#web/app/kept/recover.ts')

/** Tells what became of requests that were unfinished when a page was closed. */
export function useRecovery(on: boolean): void {
  const queries = useQueryClient()
  const recovery = useOnDemand(loadRecovery, on && canKeep())
  const navigate = useNavigate()
  const openScreen = useEffectEvent((path: string) => void navigate(path))
  useEffect(() => (on ? recovery?.recover(queries, (path) => openScreen(path)) : undefined), [on, recovery, queries])
}
