import { useEffectEvent, useLayoutEffect } from 'react'
import { enterSheet } from '#web/lib/sheet-entries.ts'

/** Has Back close what stands above the screen while it is `open`. */
export function useSheetEntry(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  // Before it can be seen, and so before anybody goes back from it.
  useLayoutEffect(() => (open ? enterSheet(() => close()) : undefined), [open])
}
