import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { toast } from 'sonner'
import { ERRORS, type ErrorCode, Refusal } from '#contract/errors.ts'
import { isCalledOff, isFinal, messageOf } from '#web/lib/client.ts'
import { requestKey } from '#web/lib/idempotency-key.ts'
import { retry, retryDelay } from '#web/lib/retry.ts'

type Told = { message: string; description?: string }

type SubmissionOptions<Content, Answer> = {
  /** Whether `send` passes the key on, and so may be tried again where no answer came: the bank applies it once. */
  keyed?: boolean
  /** Asks the bank; `key` is the Idempotency-Key of every try of this content. */
  send: (content: Content, key: string) => Promise<Answer>
  /** The toast while it is under way. */
  loading: (content: Content) => string
  /** The toast when it is done; null where the answer asks for more before it is. */
  success: (answer: Answer, content: Content) => Told | null
  /** Refusals that the screen itself tells, so that no toast has to. */
  tells?: (refusal: Refusal) => boolean
  /** Marks what the bank found wrong, beside the toast that says it. */
  refused?: (refusal: Refusal) => void
}

/**
 * The one way to ask the bank for something that may be refused: one request at a time, a key that is kept while the outcome is unknown,
 * a toast that goes from loading to success or to the refusal, and fresh figures afterwards.
 */
export function useSubmission<Content, Answer>(options: SubmissionOptions<Content, Answer>) {
  const queries = useQueryClient()
  const [key] = useState(requestKey)
  const [done, setDone] = useState(false)
  // One toast speaks for one form: a new answer takes the place of the one before.
  const id = useId()
  const underWay = useRef(false)
  const mutation = useMutation({
    mutationFn: ({ content, idempotencyKey }: { content: Content; idempotencyKey: string }) =>
      options.send(content, idempotencyKey),
    ...(options.keyed ? { retry, retryDelay } : {}),
  })

  useEffect(() => {
    if (mutation.isPending && mutation.failureCount > 0) toast.loading('Still trying…', { id })
  }, [id, mutation.isPending, mutation.failureCount])

  async function submit(content: Content): Promise<Answer | null> {
    if (underWay.current) return null
    underWay.current = true
    toast.loading(options.loading(content), { id, description: undefined })
    try {
      const answer = await mutation.mutateAsync({ content, idempotencyKey: key.keyFor(content) })
      key.answered()
      const told = options.success(answer, content)
      if (told) toast.success(told.message, { id, description: told.description })
      else toast.dismiss(id)
      setDone(told !== null)
      return answer
    } catch (error) {
      if (isFinal(error)) key.answered()
      const told = isCalledOff(error) || (error instanceof Refusal && options.tells?.(error))
      if (told) toast.dismiss(id)
      else toast.error(messageOf(error), { id, description: undefined })
      if (error instanceof Refusal) options.refused?.(error)
      return null
    } finally {
      underWay.current = false
      void queries.invalidateQueries()
    }
  }

  /** Says what the form itself found wrong, before the bank is asked. */
  function refuse(code: ErrorCode): void {
    toast.error(ERRORS[code].message, { id, description: undefined })
  }

  /** Takes back what was said of a fault that is mended. */
  function mended(): void {
    toast.dismiss(id)
  }

  return { submit, refuse, mended, busy: mutation.isPending, done }
}
