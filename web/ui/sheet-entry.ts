import { useEffectEvent, useLayoutEffect } from 'react'
import { enterSheet } from '#web/lib/sheet-entries.ts'

/** Makes Back close a layer above the screen while it is `open`. */
export function useSheetEntry(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  // The entry is added before the layer is visible, so that Back always finds it.
  useLayoutEffect(() => (open ? enterSheet(() => close()) : undefined), [open])
}
