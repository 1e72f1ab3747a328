import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '#web/lib/me.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { isEmbeddedPreview } from '#web/lib/embedded-preview.ts'

const AGAIN_AFTER_MS = 5_000

const loadTimer = () => import('#web/identity/session/idle-timer.tsx')

/**
 * Signs an idle customer out after a warning. Does and loads nothing if the bank does not end idle sessions. An embedded
 * picture is also left out, because the page around it has its own watch.
 */
export function IdleWatch() {
  const idleSeconds = useQuery(meQuery).data?.idleSeconds ?? null
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!hasFailed) return undefined
    const timer = setTimeout(() => setFailed(false), AGAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [hasFailed])
  const timer = useLazy(loadTimer, idleSeconds !== null && !hasFailed && !isEmbeddedPreview(), () => setFailed(true))
  return idleSeconds !== null && timer && <timer.IdleTimer idleSeconds={idleSeconds} />
}
