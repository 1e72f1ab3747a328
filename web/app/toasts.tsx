import { useEffect, useState } from 'react'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { onLineChange } from '#web/lib/line.ts'
import { isPicture } from '#web/lib/picture.ts'
import { onToastWanted } from '#web/lib/toast.ts'

/** How long the first screen has for itself. */
const AFTER_MS = 3000

const loadToaster = () => import('#web/ui/toaster.tsx')

/** Brings what shows toasts with the first of them, or before; where it does not come, again when there is a line. */
export function Toasts() {
  const [wanted, setWanted] = useState(false)
  const toaster = useOnDemand(loadToaster, wanted, () => setWanted(false))
  useEffect(() => {
    if (isPicture()) return undefined
    const want = () => setWanted(true)
    const timer = setTimeout(want, AFTER_MS)
    onToastWanted(want)
    const stopWaiting = onLineChange((isUp) => isUp && want())
    return () => {
      clearTimeout(timer)
      onToastWanted(() => {})
      stopWaiting()
    }
  }, [])
  return toaster && <toaster.Toaster />
}
