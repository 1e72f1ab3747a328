import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type PlainToast, useFormToast } from '#web/lib/form-toast.ts'
import { toast } from '#web/lib/toast.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { beforeSending, customerLeftSignal, isCanceledError, messageOf, stopRequest } from '#web/lib/api.ts'
import type { RequestOutcome, OutcomeTexts } from '#web/lib/outcome-toast.ts'
import { type SendingPhase, sendUntilAnswered, SendingStopped } from '#web/lib/send-until-answered.ts'
import {
  markAnswered,
  keepUnfinishedRequest,
  idempotencyKeyFor,
  digestRequest,
  trackOutcome,
  wasCarriedOut,
} from '#web/lib/unconfirmed-requests.ts'

type ToastAction = { label: string; onClick: () => void }

type ToastText = {
  message: string
  description?: string
  /** The action of the toast. */
  action?: ToastAction
  /** Undoes the action; the toast is then shown for longer. */
  undo?: ToastAction | false
}

export type SubmissionOptions<Content, Result> = {
  /** Sends the request. `key` is the idempotency key of every attempt with this content. */
  send: (content: Content, key: string) => Promise<Result>
  /** The toast during sending. */
  loading: (content: Content) => string
  /** The toast after success; null if the response requires another step first. */
  success: (response: Result, content: Content) => ToastText | null
  /**
   * The toast texts of a request that was stopped before its answer. By default, they say that the form was sent, or was not.
   */
  outcome?: (content: Content) => OutcomeTexts
  /** Returns whether the screen itself shows this refusal, so that no toast is needed. */
  showsRefusal?: (refusal: Refusal) => boolean
  /** Marks the refused field. The toast shows the reason. */
  onRefused?: (refusal: Refusal) => void
}

/** Shows the toast of a submission that has no response yet. */
function phaseToast(phase: SendingPhase, loading: string, plainToast: PlainToast, cancel: () => void): void {
  if (phase === 'sending') return toast.loading(loading, plainToast)
  const action = {
    label: t({ message: 'Cancel', comment: 'Stops sending a form' }),
    onClick: (event: { preventDefault(): void }) => {
      // The toast stays, to show the outcome.
      event.preventDefault()
      cancel()
    },
  }
  if (phase === 'retrying') return toast.loading(t`Still trying…`, { ...plainToast, action })
  const description = t`We'll keep trying while this screen is open`
  toast.loading(t`You're offline`, { ...plainToast, description, action })
}

/** The time for which the toast offers to undo. The toast outlives the screen, and the customer reads it first. */
const UNDO_MS = 8_000

function toastOptions({ description, action, undo }: ToastText) {
  return {
    ...(description && { description }),
    ...(action && { action }),
    ...(undo && { cancel: undo, duration: UNDO_MS }),
  }
}

/** Returns a function that returns a signal. The signal is aborted when the customer leaves the screen. */
function useLeaving(): () => AbortSignal {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => {
    controller.current = new AbortController()
    return () => controller.current?.abort()
  }, [])
  return () => (controller.current ??= new AbortController()).signal
}

const loadOutcomeToast = () => import('#web/lib/outcome-toast.ts')

type OutcomeContext = { toastOptions: PlainToast; texts: OutcomeTexts; signal: AbortSignal }

async function showNotSent({ toastOptions: plainToast, texts, signal }: OutcomeContext): Promise<RequestOutcome> {
  if (signal.aborted) toast.dismiss(plainToast.id)
  else toast.info(texts.notSent, plainToast)
  return 'not_sent'
}

/**
 * Asks the bank for the outcome of a stopped request. If the code that asks does not load, the outcome stays unknown. A later
 * request with the same content then has the same key.
 */
async function findOut(stopError: SendingStopped, key: string, context: OutcomeContext): Promise<RequestOutcome> {
  const toastModule = await loadOutcomeToast().catch(() => null)
  if (toastModule) return toastModule.outcomeToast(stopError, key, context)
  toast.error(errorText('unreachable'), context.toastOptions)
  return 'unknown'
}

type Sending<Content> = { content: Content; request: string; key: string; sentBefore: boolean }

/** Sends a form's content under one idempotency key, and checks the outcome if no answer arrives. */
function useSending<Content, Result>(options: SubmissionOptions<Content, Result>, makePlainToast: () => PlainToast) {
  const leaving = useLeaving()
  const texts = (content: Content): OutcomeTexts =>
    options.outcome?.(content) ?? { sent: t`It was sent`, notSent: t`Canceled. Nothing was sent` }
  const stop = useRef<(() => void) | null>(null)
  const mutation = useMutation({
    mutationFn: async ({ content, request, key, sentBefore }: Sending<Content>) => {
      const cancelController = new AbortController()
      const [loading, plainToast, signal] = [options.loading(content), makePlainToast(), customerLeftSignal()]
      const { pathname, search } = window.location
      const unfinishedRequest = { key, request, texts: { view: pathname + search, ...texts(content) } }
      const keep = () => keepUnfinishedRequest(unfinishedRequest)
      const cancel = () => {
        cancelController.abort()
        stopRequest(key)
      }
      stop.current = cancel
      // The code that asks for the outcome is loaded in advance, because it is needed when the connection is lost.
      loadOutcomeToast().catch(() => {})
      // The bank can only be asked about requests that it records by their key. `keep` is called for these requests only.
      const prepared = beforeSending(key, keep)
      try {
        // The request was stored before; from now on, this page sends it.
        if (sentBefore) await keep()
        const response = await sendUntilAnswered(() => options.send(content, key), {
          cancel: AbortSignal.any([cancelController.signal, signal]),
          leave: leaving(),
          onPhase: (phase) => phaseToast(phase, loading, plainToast, cancel),
          sentBefore,
        })
        markAnswered(unfinishedRequest)
        return response
      } catch (error) {
        if (!(error instanceof SendingStopped)) {
          markAnswered(unfinishedRequest)
          throw error
        }
        // Until the outcome of this request is known, the form sends no other.
        const context = { toastOptions: plainToast, texts: unfinishedRequest.texts, signal }
        const outcome = await trackOutcome(
          unfinishedRequest,
          error.maybeArrived ? findOut(error, key, context) : showNotSent(context),
        )
        throw outcome === 'not_sent' && error.refusal ? error.refusal : error
      } finally {
        prepared()
        stop.current = null
      }
    },
    retry: false,
  })
  return { mutation, cancel: () => stop.current?.() }
}

/**
 * Returns a function that sends a form, and its progress. Every form uses this hook, directly or through `useForm`. It sends
 * one request at a time with its own Idempotency-Key, and refreshes the data afterwards. A toast shows the progress and then
 * the success or the refusal. If the bank cannot be reached, the toast offers Cancel, and the request is retried while the
 * screen is visible. A stopped request that may have arrived is canceled at the bank.
 *
 * @example
 * ```tsx
 * const { submit, busy } = useSubmission({
 *   send: settleGroup,
 *   loading: () => t`Settling up…`,
 *   success: () => ({ message: t`We've sent a request to everyone who owes money` }),
 * })
 * return <Button busy={busy} onClick={() => void submit({ id: group.id })}>Settle up</Button>
 * ```
 */
export function useSubmission<Content, Result>(options: SubmissionOptions<Content, Result>) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { dismissToast, dismissError, makePlainToast } = useFormToast()
  const inFlight = useRef(false)
  const { mutation, cancel } = useSending(options, makePlainToast)

  function showFailure(error: unknown): void {
    // The outcome has already been shown.
    if (error instanceof SendingStopped) return
    const isShown = isCanceledError(error) || (error instanceof Refusal && options.showsRefusal?.(error))
    if (isShown) dismissToast()
    else toast.error(messageOf(error), makePlainToast(true))
    if (error instanceof Refusal) options.onRefused?.(error)
  }

  async function submit(content: Content): Promise<Result | null> {
    if (inFlight.current) return null
    inFlight.current = true
    try {
      const request = await digestRequest(content)
      if (await wasCarriedOut(request)) return null
      const response = await mutation.mutateAsync({ content, request, ...(await idempotencyKeyFor(request)) })
      const text = options.success(response, content)
      if (text) toast.success(text.message, { ...makePlainToast(), ...toastOptions(text) })
      else dismissToast()
      setDone(text !== null)
      return response
    } catch (error) {
      showFailure(error)
      return null
    } finally {
      inFlight.current = false
      void queries.invalidateQueries()
    }
  }

  /** Shows an error that the form found before sending. */
  function showError(code: ErrorCode): void {
    toast.error(errorText(code), makePlainToast(true))
  }

  return { submit, cancel, showError, dismissError, busy: mutation.isPending, done }
}
