import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { toast } from 'sonner'
import { ERRORS, type ErrorCode, Refusal } from '#contract/errors.ts'
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
 * The one way to send a form: one request at a time, under an Idempotency-Key that is made before the first try and kept
 * while the outcome is unknown; a toast that goes from loading to success or to the refusal; and fresh data afterwards.
 */
export function useSubmission<Content, Result>(options: SubmissionOptions<Content, Result>) {
  const queries = useQueryClient()
  const [key] = useState(requestKey)
  const [done, setDone] = useState(false)
  // One toast per form: a new outcome replaces the one before.
  const id = useId()
  const inFlight = useRef(false)
  const mutation = useMutation({
    mutationFn: ({ content, idempotencyKey }: { content: Content; idempotencyKey: string }) =>
      options.send(content, idempotencyKey),
  })

  useEffect(() => {
    if (mutation.isPending && mutation.failureCount > 0) toast.loading('Still trying…', { id })
  }, [id, mutation.isPending, mutation.failureCount])

  async function submit(content: Content): Promise<Result | null> {
    if (inFlight.current) return null
    inFlight.current = true
    toast.loading(options.loading(content), { id, description: undefined })
    try {
      const response = await mutation.mutateAsync({ content, idempotencyKey: key.keyFor(content) })
      key.answered()
      const text = options.success(response, content)
      if (text) toast.success(text.message, { id, description: text.description })
      else toast.dismiss(id)
      setDone(text !== null)
      return response
    } catch (error) {
      if (isFinal(error)) key.answered()
      const shown = isCancelled(error) || (error instanceof Refusal && options.showsRefusal?.(error))
      if (shown) toast.dismiss(id)
      else toast.error(messageOf(error), { id, description: undefined })
      if (error instanceof Refusal) options.onRefused?.(error)
      return null
    } finally {
      inFlight.current = false
      void queries.invalidateQueries()
    }
  }

  /** Shows what the form itself found wrong, before anything is sent. */
  function showError(code: ErrorCode): void {
    toast.error(ERRORS[code].message, { id, description: undefined })
  }

  /** Hides the error of a field that has been corrected. */
  function dismissError(): void {
    toast.dismiss(id)
  }

  return { submit, showError, dismissError, busy: mutation.isPending, done }
}
