import { t } from '@lingui/core/macro'
import type { ExternalToast } from 'sonner'
import { anonymousApi, isFinalError, unwrap } from '#web/lib/api.ts'
import { withJitter } from '#web/lib/jitter.ts'
import { isConnected, waitForConnection } from '#web/lib/connection.ts'
import { toast } from '#web/lib/toast.ts'
import type { SendingStopped } from '#web/lib/send-until-answered.ts'
import { delay } from '#web/lib/abortable.ts'

const ASK_AGAIN_MS = 3_000

/**
 * Cancels a request at the bank, and retries until the bank answers. Resolves to whether the bank had already carried out the
 * request. Throws Refusal if the bank refuses the cancellation, and `ABORTED` when `signal` is aborted.
 */
async function cancelAtBank(key: string, signal: AbortSignal): Promise<boolean> {
  while (true) {
    await waitForConnection(signal)
    try {
      // Sent with the current session. `api` might start a session of a new visitor.
      return (await unwrap(anonymousApi.requests[':key'].cancel.$post({ param: { key } }))).carriedOut
    } catch (error) {
      if (isFinalError(error)) throw error
      await delay(withJitter(ASK_AGAIN_MS), signal)
    }
  }
}

/** The outcome of a stopped request; `unknown` if it could not be determined. */
export type RequestOutcome = 'sent' | 'not_sent' | 'unknown'

/** The toast texts of the outcomes `sent` and `not_sent`. The text of `unknown` is always the same. */
export type OutcomeTexts = {
  sent: string
  notSent: string
  /** The path of the screen that shows the result; by default, the screen of the form. */
  view?: string
}

type OutcomeContext = {
  /** The options of every toast of this request: the id, so that one replaces another, and the action on dismissal. */
  toastOptions: ExternalToast & { id: string }
  texts: OutcomeTexts
  /** The action in the toast of the outcome `sent`. */
  action?: { label: string; onClick: () => void } | undefined
  /** Aborted when no more toasts should appear. */
  signal: AbortSignal
}

/**
 * Shows the outcome of a request that the bank may have received without answering. The request is first canceled at the bank,
 * so that it is not carried out later. The toast stays when the customer leaves the screen. If the request was refused and not
 * sent, the caller shows the reason.
 */
export async function outcomeToast(
  { refusal }: Pick<SendingStopped, 'refusal'>,
  key: string,
  { toastOptions, texts, action, signal }: OutcomeContext,
): Promise<RequestOutcome> {
  const description = isConnected() ? undefined : t`We'll check as soon as you're back online`
  toast.loading(t`Checking whether it was sent…`, { ...toastOptions, description })
  try {
    if (await cancelAtBank(key, signal)) {
      toast.success(t`It went through`, { ...toastOptions, description: texts.sent, ...(action && { action }) })
      return 'sent'
    }
    if (!refusal) toast.info(texts.notSent, toastOptions)
    return 'not_sent'
  } catch {
    if (signal.aborted) toast.dismiss(toastOptions.id)
    else toast.error(t`We couldn't find out whether it was sent. Please check before you send it again`, toastOptions)
    return 'unknown'
  }
}
