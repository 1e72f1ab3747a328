import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { toast } from '#web/lib/toast.ts'
import { errorText } from '#web/i18n/words.ts'
import { isCancelled, isFinal, messageOf } from '#web/lib/api.ts'
import { requestKey } from '#web/lib/idempotency-key.ts'

type ToastText = { message: string; description?: string }

type SubmissionOptions<Content, Result> = {
  /** Sends the request; `key` is the Idempotency-Key of every try of this content. */
  send: (content: Content, key: string) => Promise<Result>
  /** The toast while it is sent. */
  loading: (content: Content) => string
  /** The toast when it is done; null if the response asks for another step first. */
  success: (response: Result, content: Content) => ToastText | null
  /** Whether the screen itself shows this refusal, so that no toast is needed. */
  showsRefusal?: (refusal: Refusal) => boolean
  /** Marks the field that was refused, beside the toast that says why. */
  onRefused?: (refusal: Refusal) => void
}

/**
 * One toast per form: a new outcome replaces the one before. Once dismissed, the next has an id of its own, for a toast
 * that is on its way out takes along whatever has its id.
 */
function useToast() {
  const form = useId()
  const dismissed = useRef(0)
  const toastId = useCallback(() => `${form}${dismissed.current}`, [form])
  const dismissToast = useCallback(() => {
    toast.dismiss(toastId())
    dismissed.current += 1
  }, [toastId])
  return { toastId, dismissToast }
}

/**
 * The one way to send a form: one request at a time, under an Idempotency-Key that is made before the first try and kept
 * while the outcome is unknown; a toast that goes from loading to success or to the refusal; and fresh data afterwards.
 */
export function useSubmission<Content, Result>(options: SubmissionOptions<Content, Result>) {
  const queries = useQueryClient()
  const [key] = useState(requestKey)
  const [done, setDone] = useState(false)
  const { toastId, dismissToast } = useToast()
  const inFlight = useRef(false)
  const mutation = useMutation({
    mutationFn: ({ content, idempotencyKey }: { content: Content; idempotencyKey: string }) =>
      options.send(content, idempotencyKey),
  })

  useEffect(() => {
    if (mutation.isPending && mutation.failureCount > 0) toast.loading(t`Still trying…`, { id: toastId() })
  }, [toastId, mutation.isPending, mutation.failureCount])

  async function submit(content: Content): Promise<Result | null> {
    if (inFlight.current) return null
    inFlight.current = true
    toast.loading(options.loading(content), { id: toastId(), description: undefined })
    try {
      const response = await mutation.mutateAsync({ content, idempotencyKey: key.keyFor(content) })
      key.answered()
      const text = options.success(response, content)
      if (text) toast.success(text.message, { id: toastId(), description: text.description })
      else dismissToast()
      setDone(text !== null)
      return response
    } catch (error) {
      if (isFinal(error)) key.answered()
      const shown = isCancelled(error) || (error instanceof Refusal && options.showsRefusal?.(error))
      if (shown) dismissToast()
      else toast.error(messageOf(error), { id: toastId(), description: undefined })
      if (error instanceof Refusal) options.onRefused?.(error)
      return null
    } finally {
      inFlight.current = false
      void queries.invalidateQueries()
    }
  }

  /** Shows what the form itself found wrong, before anything is sent. */
  function showError(code: ErrorCode): void {
    toast.error(errorText(code), { id: toastId(), description: undefined })
  }

  return { submit, showError, dismissError: dismissToast, busy: mutation.isPending, done }
}
