import { type ComponentType, useEffect, useState } from 'react'

/** Brings what shows toasts once the first screen stands; where it does not come, again when there is a line. */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (Toaster) return
    const load = () => {
      import('#web/ui/toaster.tsx').then(
        (loaded) => setToaster(() => loaded.Toaster),
        () => undefined,
      )
    }
    load()
    window.addEventListener('online', load)
    return () => window.removeEventListener('online', load)
  }, [Toaster])
  return Toaster && <Toaster />
}
