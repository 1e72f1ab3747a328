import { useEffect, useState } from 'react'
import { useLazy } from '#web/lib/lazy.ts'
import { onConnectionChange } from '#web/lib/connection.ts'
import { isEmbeddedPreview } from '#web/lib/embedded-preview.ts'
import { onToastWanted } from '#web/lib/toast.ts'

/** The time reserved for the first screen. */
const AFTER_MS = 3000

const loadToaster = () => import('#web/ui/toaster.tsx')

/** Loads the toaster for the first toast, or earlier. If loading fails, it is tried again after a reconnection. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  const toaster = useLazy(loadToaster, isWanted, () => setWanted(false))
  useEffect(() => {
    if (isEmbeddedPreview()) return undefined
    const startLoading = () => setWanted(true)
    const timer = setTimeout(startLoading, AFTER_MS)
    onToastWanted(startLoading)
    const stopWaiting = onConnectionChange((isUp) => isUp && startLoading())
    return () => {
      clearTimeout(timer)
      onToastWanted(() => {})
      stopWaiting()
    }
  }, [])
  return toaster && <toaster.Toaster />
}
