import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '#web/lib/me.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { isPicture } from '#web/lib/picture.ts'

const AGAIN_AFTER_MS = 5_000

const loadTimer = () => import('#web/identity/session/idle-timer.tsx')

/**
 * Signs an idle customer out after a warning; does nothing, and fetches nothing, where the bank does not end idle sessions,
 * and in a picture, which the page around it watches over.
 */
export function IdleWatch() {
  const idleSeconds = useQuery(meQuery).data?.idleSeconds ?? null
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!failed) return undefined
    const timer = setTimeout(() => setFailed(false), AGAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [failed])
  const timer = useOnDemand(loadTimer, idleSeconds !== null && !failed && !isPicture(), () => setFailed(true))
  return idleSeconds !== null && timer && <timer.IdleTimer idleSeconds={idleSeconds} />
}
