import { useCallback, useId, useRef } from 'react'
import { toast } from '#web/lib/toast.ts'

/** The time for which a toast is shown, by the specification. A toast that replaces another one is shown for the same time. */
const SHOWN_MS = 4_000

/**
 * Returns functions that show the toasts of a form. A form has one toast: a new outcome replaces the previous one. While a
 * toast is being dismissed, the next toast gets a new id. With the same id, the next toast would be dismissed too.
 */
export function useFormToast() {
  const form = useId()
  const dismissals = useRef(0)
  const refuses = useRef(false)
  const dismissToast = useCallback(() => {
    toast.dismiss(form + dismissals.current++)
  }, [form])
  /** Dismisses the toast if it shows a refusal. */
  const dismissError = useCallback(() => {
    if (refuses.current) dismissToast()
  }, [dismissToast])
  const onLeave = () => void dismissals.current++
  /** Returns the options of a toast. They clear the description and the buttons of the toast that it replaces. */
  function makePlainToast(isRefusal = false) {
    refuses.current = isRefusal
    const id = form + dismissals.current
    const plainOptions = { description: undefined, action: undefined, cancel: undefined, duration: SHOWN_MS }
    return { id, ...plainOptions, onAutoClose: onLeave, onDismiss: onLeave }
  }
  return { dismissToast, dismissError, makePlainToast }
}

export type PlainToast = ReturnType<ReturnType<typeof useFormToast>['makePlainToast']>
