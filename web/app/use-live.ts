import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { useLazy } from '#web/lib/lazy.ts'
import { useIsConnected } from '#web/lib/connection.ts'

const loadLive = () => import('#web/app/live-updates.ts')

/** Keeps the data on the screen up to date. The code loads after the screen. */
export function useLive(isEnabled: boolean): void {
  const queries = useQueryClient()
  const isUp = useIsConnected()
  const live = useLazy(loadLive, isEnabled && isUp)
  const navigate = useNavigate()
  const openScreen = useEffectEvent((path: string) => void navigate(path))
  useEffect(
    () => (isEnabled ? live?.startLiveUpdates(queries, (path) => openScreen(path)) : undefined),
    [isEnabled, live, queries],
  )
}
