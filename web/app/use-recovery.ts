import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { canCacheOffline } from '#web/app/offline/start.ts'
import { useLazy } from '#web/lib/lazy.ts'

const loadRecovery = () => import('#web/app/offline/recover-requests.ts')

/** Shows the outcomes of requests that a closed page left unfinished. */
export function useRecovery(isEnabled: boolean): void {
  const queries = useQueryClient()
  const recovery = useLazy(loadRecovery, isEnabled && canCacheOffline())
  const navigate = useNavigate()
  const openScreen = useEffectEvent((path: string) => void navigate(path))
  useEffect(
    () => (isEnabled ? recovery?.recoverRequests(queries, (path) => openScreen(path)) : undefined),
    [isEnabled, recovery, queries],
  )
}
