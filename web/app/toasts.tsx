import { type ComponentType, useEffect, useState } from 'react'
import { onToastWanted } from '#web/lib/toast.ts'

/** How long the first screen has for itself. */
const AFTER_MS = 3000

/** Brings what shows toasts with the first of them, or before; where it does not come, again when there is a line. */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (Toaster) return undefined
    const load = () => {
      import('#web/ui/toaster.tsx').then(
        (loaded) => setToaster(() => loaded.Toaster),
        () => undefined,
      )
    }
    const timer = setTimeout(load, AFTER_MS)
    onToastWanted(load)
    window.addEventListener('online', load)
    return () => {
      clearTimeout(timer)
      onToastWanted(() => {})
      window.removeEventListener('online', load)
    }
  }, [Toaster])
  return Toaster && <Toaster />
}
