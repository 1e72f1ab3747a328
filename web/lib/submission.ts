import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type PlainToast, useFormToast } from '#web/lib/form-toast.ts'
import { toast } from '#web/lib/toast.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { beforeSending, customerHasLeft, isCancelled, messageOf, stopRequest } from '#web/lib/api.ts'
import type { Outcome, OutcomeTexts } from '#web/lib/outcome-toast.ts'
import { type Phase, sendUntilAnswered, Stopped } from '#web/lib/sending.ts'
import { answered, keepUnfinished, keyFor, requestOf, settle, wasJustSent } from '#web/lib/unsettled.ts'

type ToastAction = { label: string; onClick: () => void }

type ToastText = {
  message: string
  description?: string
  /** What can be done about it from the toast. */
  action?: ToastAction
  /** Takes back what was done; the toast stays longer then. */
  undo?: ToastAction | false
}

export type SubmissionOptions<Content, Result> = {
  /** Sends the request; `key` is the Idempotency-Key of every try of this content. */
  send: (content: Content, key: string) => Promise<Result>
  /** The toast while it is sent. */
  loading: (content: Content) => string
  /** The toast when it is done; null if the response asks for another step first. */
  success: (response: Result, content: Content) => ToastText | null
  /** What is said of a request that was stopped before it was answered; 'sent' unless told. */
  outcome?: (content: Content) => OutcomeTexts
  /** Whether the screen itself shows this refusal, so that no toast is needed. */
  showsRefusal?: (refusal: Refusal) => boolean
  /** Marks the field that was refused, beside the toast that says why. */
  onRefused?: (refusal: Refusal) => void
}

/** What the toast of a submission says while there is no response. */
function phaseToast(phase: Phase, loading: string, said: PlainToast, cancel: () => void): void {
  if (phase === 'sending') return toast.loading(loading, said)
  const action = {
    label: t({ message: 'Cancel', comment: 'Stops sending a form' }),
    onClick: (event: { preventDefault(): void }) => {
      // The toast stays, to say what becomes of it.
      event.preventDefault()
      cancel()
    },
  }
  if (phase === 'retrying') return toast.loading(t`Still trying…`, { ...said, action })
  const description = t`We'll keep trying while this screen is open`
  toast.loading(t`You're offline`, { ...said, description, action })
}

/** How long something can be taken back from its toast: it outlives the screen, and is read first. */
const UNDO_MS = 8_000

function toastOptions({ description, action, undo }: ToastText) {
  return {
    ...(description && { description }),
    ...(action && { action }),
    ...(undo && { cancel: undo, duration: UNDO_MS }),
  }
}

/** Aborted when the screen is left. */
function useLeaving(): () => AbortSignal {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => {
    controller.current = new AbortController()
    return () => controller.current?.abort()
  }, [])
  return () => (controller.current ??= new AbortController()).signal
}

const loadOutcomeToast = () => import('#web/lib/outcome-toast.ts')

type Told = { said: PlainToast; texts: OutcomeTexts; signal: AbortSignal }

async function tellNotSent({ said, texts, signal }: Told): Promise<Outcome> {
  if (signal.aborted) toast.dismiss(said.id)
  else toast.info(texts.notSent, said)
  return 'not_sent'
}

/** Where the code that finds out does not come, it is not known either: the same content keeps its key. */
async function findOut(stopped: Stopped, key: string, told: Told): Promise<Outcome> {
  const loaded = await loadOutcomeToast().catch(() => null)
  if (loaded) return loaded.outcomeToast(stopped, key, told)
  toast.error(errorText('unreachable'), told.said)
  return 'unknown'
}

type Sending<Content> = { content: Content; request: string; key: string; sentBefore: boolean }

/** Sends a form's content under one Idempotency-Key, and finds out what became of it where that is not said. */
function useSending<Content, Result>(options: SubmissionOptions<Content, Result>, plain: () => PlainToast) {
  const leaving = useLeaving()
  const texts = (content: Content): OutcomeTexts =>
    options.outcome?.(content) ?? { sent: t`It was sent`, notSent: t`Cancelled. Nothing was sent` }
  const stop = useRef<(() => void) | null>(null)
  const mutation = useMutation({
    mutationFn: async ({ content, request, key, sentBefore }: Sending<Content>) => {
      const cancelling = new AbortController()
      const [loading, said, signal] = [options.loading(content), plain(), customerHasLeft()]
      const { pathname, search } = window.location
      const unfinished = { key, request, texts: { view: pathname + search, ...texts(content) } }
      const keep = () => keepUnfinished(unfinished)
      const cancel = () => {
        cancelling.abort()
        stopRequest(key)
      }
      stop.current = cancel
      // There before it is needed: by then there may be no line to fetch it by.
      loadOutcomeToast().catch(() => {})
      // Only what the bank records under its key can be asked about later: this is called for no other request.
      const prepared = beforeSending(key, keep)
      try {
        // It was kept before; from now on this page sends it.
        if (sentBefore) await keep()
        const response = await sendUntilAnswered(() => options.send(content, key), {
          cancel: AbortSignal.any([cancelling.signal, signal]),
          leave: leaving(),
          onPhase: (phase) => phaseToast(phase, loading, said, cancel),
          sentBefore,
        })
        answered(unfinished)
        return response
      } catch (error) {
        if (!(error instanceof Stopped)) {
          answered(unfinished)
          throw error
        }
        // Until it is known what became of this request, the form sends no other.
        const told = { said, texts: unfinished.texts, signal }
        const outcome = await settle(unfinished, error.maybeArrived ? findOut(error, key, told) : tellNotSent(told))
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
 * The one way to send a form: one request at a time, under an Idempotency-Key of its own; a toast that goes from loading to
 * success or to the refusal; and fresh data afterwards. Where the bank is out of reach the toast says so with Cancel, and the
 * request is sent again only while somebody looks. What may have been carried out without an answer is cancelled at the bank.
 */
export function useSubmission<Content, Result>(options: SubmissionOptions<Content, Result>) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { dismissToast, dismissError, plain } = useFormToast()
  const inFlight = useRef(false)
  const { mutation, cancel } = useSending(options, plain)

  function showFailure(error: unknown): void {
    // Its outcome has been told.
    if (error instanceof Stopped) return
    const shown = isCancelled(error) || (error instanceof Refusal && options.showsRefusal?.(error))
    if (shown) dismissToast()
    else toast.error(messageOf(error), plain(true))
    if (error instanceof Refusal) options.onRefused?.(error)
  }

  async function submit(content: Content): Promise<Result | null> {
    if (inFlight.current) return null
    inFlight.current = true
    try {
      const request = await requestOf(content)
      if (await wasJustSent(request)) return null
      const response = await mutation.mutateAsync({ content, request, ...(await keyFor(request)) })
      const text = options.success(response, content)
      if (text) toast.success(text.message, { ...plain(), ...toastOptions(text) })
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

  /** Shows what the form itself found wrong, before anything is sent. */
  function showError(code: ErrorCode): void {
    toast.error(errorText(code), plain(true))
  }

  return { submit, cancel, showError, dismissError, busy: mutation.isPending, done }
}
