import { t } from '@lingui/core/macro'
import type { ExternalToast } from 'sonner'
import { anonymousApi, isFinal, unwrap } from '#web/lib/api.ts'
import { jittered } from '#web/lib/jitter.ts'
import { isLineUp, lineIsUp } from '#web/lib/line.ts'
import { toast } from '#web/lib/toast.ts'
import type { Stopped } from '#web/lib/sending.ts'
import { pause } from '#web/lib/waiting.ts'

const ASK_AGAIN_MS = 3_000

/**
 * Has the bank cancel a request, as soon as it can be reached, and answers whether it was carried out before. Throws Refusal
 * where the bank does not say, and where `signal` is aborted.
 */
async function cancelAtBank(key: string, signal: AbortSignal): Promise<boolean> {
  while (true) {
    await lineIsUp(signal)
    try {
      // As whoever is signed in: a visit would begin a session for somebody else.
      return (await unwrap(anonymousApi.requests[':key'].cancel.$post({ param: { key } }))).carriedOut
    } catch (error) {
      if (isFinal(error)) throw error
      await pause(jittered(ASK_AGAIN_MS), signal)
    }
  }
}

/** What became of a request that was stopped; `unknown` where the bank does not say. */
export type Outcome = 'sent' | 'not_sent' | 'unknown'

/** What the customer is told of each. */
export type OutcomeTexts = {
  sent: string
  notSent: string
  /** Where the app shows what was sent; the screen that it was sent from unless told. */
  view?: string
}

type Told = {
  /** What every toast of it has: the id, so that one takes the place of another, and what is to be done as it leaves. */
  said: ExternalToast & { id: string }
  texts: OutcomeTexts
  /** What can be done from the toast that says it was sent. */
  action?: { label: string; onClick: () => void } | undefined
  /** Aborted when nobody is to be told any more. */
  signal: AbortSignal
}

/**
 * Says what becomes of a request that the bank may have got and did not answer. It is cancelled there first, so that it is
 * not carried out later either. The toast outlives its screen, for whoever has left it wants to know too. Where it was
 * refused and nothing was sent, the caller says why.
 */
export async function outcomeToast(
  { refusal }: Pick<Stopped, 'refusal'>,
  key: string,
  { said, texts, action, signal }: Told,
): Promise<Outcome> {
  const description = isLineUp() ? undefined : t`We'll find out as soon as you're back online`
  toast.loading(t`Checking whether it was sent…`, { ...said, description })
  try {
    if (await cancelAtBank(key, signal)) {
      toast.success(t`It went through`, { ...said, description: texts.sent, ...(action && { action }) })
      return 'sent'
    }
    if (!refusal) toast.info(texts.notSent, said)
    return 'not_sent'
  } catch {
    if (signal.aborted) toast.dismiss(said.id)
    else toast.error(t`We couldn't find out whether it was sent. Please check before you send it again`, said)
    return 'unknown'
  }
}
