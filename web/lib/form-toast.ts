import { useCallback, useId, useRef } from 'react'
import { toast } from '#web/lib/toast.ts'

/** How long a toast stays, as the specification says; one that takes the place of another stays no longer. */
const SHOWN_MS = 4_000

/**
 * One toast per form: a new outcome replaces the one before. Once that is on its way out, by itself or dismissed, the next
 * has an id of its own: it would be taken along.
 */
export function useFormToast() {
  const form = useId()
  const dismissed = useRef(0)
  const refuses = useRef(false)
  const dismissToast = useCallback(() => {
    toast.dismiss(form + dismissed.current++)
  }, [form])
  /** Takes a refusal away, and nothing else that is being said. */
  const dismissError = useCallback(() => {
    if (refuses.current) dismissToast()
  }, [dismissToast])
  const leave = () => void dismissed.current++
  /** What one toast says in the place of another keeps nothing of it. */
  function plain(isRefusal = false) {
    refuses.current = isRefusal
    const id = form + dismissed.current
    const nothing = { description: undefined, action: undefined, cancel: undefined, duration: SHOWN_MS }
    return { id, ...nothing, onAutoClose: leave, onDismiss: leave }
  }
  return { dismissToast, dismissError, plain }
}

export type PlainToast = ReturnType<ReturnType<typeof useFormToast>['plain']>
