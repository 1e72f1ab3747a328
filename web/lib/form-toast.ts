import { useCallback, useId, useRef } from 'react'
import { toast } from '#web/lib/toast.ts'

/**
 * One toast per form: a new outcome replaces the one before. Once that is on its way out, by itself or dismissed, the next
 * has an id of its own: it would be taken along.
 */
export function useFormToast() {
  const form = useId()
  const dismissed = useRef(0)
  const refuses = useRef(false)
  const dismissToast = useCallback(() => {
    toast.dismiss(form + dismissed.current)
    dismissed.current += 1
  }, [form])
  /** Takes a refusal away, and nothing else that is being said. */
  const dismissRefusal = useCallback(() => {
    if (refuses.current) dismissToast()
  }, [dismissToast])
  function leave(): void {
    dismissed.current += 1
  }
  /** What one toast says in the place of another keeps nothing of it. */
  function plain(isRefusal = false) {
    refuses.current = isRefusal
    const id = form + dismissed.current
    return { id, description: undefined, action: undefined, onAutoClose: leave, onDismiss: leave }
  }
  return { dismissToast, dismissRefusal, plain }
}

export type PlainToast = ReturnType<ReturnType<typeof useFormToast>['plain']>
