import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { canCacheOffline } from '#web/app/offline/start.ts'
import { useLazy } from '#web/lib/lazy.ts'

const loadRecovery = () => import('#web/app/offline/recover-requests.ts')

/** Shows the outcomes of requests that a closed page left unfinished. */
export function useRecovery(on: boolean): void {
  const queries = useQueryClient()
  const recovery = useLazy(loadRecovery, on && canCacheOffline())
  const navigate = useNavigate()
  const openScreen = useEffectEvent((path: string) => void navigate(path))
  useEffect(
    () => (on ? recovery?.recoverRequests(queries, (path) => openScreen(path)) : undefined),
    [on, recovery, queries],
  )
}
