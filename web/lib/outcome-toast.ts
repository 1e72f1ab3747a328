import { t } from '@lingui/core/macro'
import { api, isFinal, unwrap } from '#web/lib/api.ts'
import { isLineUp } from '#web/lib/line.ts'
import { toast } from '#web/lib/toast.ts'
import { lineIsUp, pause, type Stopped } from '#web/lib/sending.ts'

const ASK_AGAIN_MS = 3_000
const NEVER = new AbortController().signal

/**
 * Has the bank cancel a request, as soon as it can be reached, and answers whether it was carried out before. Throws Refusal
 * where the bank does not say.
 */
async function cancelAtBank(key: string): Promise<boolean> {
  while (true) {
    await lineIsUp(NEVER)
    try {
      return (await unwrap(api.requests[':key'].cancel.$post({ param: { key } }))).carriedOut
    } catch (error) {
      if (isFinal(error)) throw error
      await pause(ASK_AGAIN_MS, NEVER)
    }
  }
}

/** What became of a request that was stopped; `unknown` where the bank does not say. */
export type Outcome = 'sent' | 'not_sent' | 'unknown'

/**
 * Says what becomes of a request that was stopped before it was answered. What the bank may have got is cancelled there
 * first, so that it is not carried out later either. The toast outlives its screen, for whoever has left it wants to know too.
 */
export async function outcomeToast({ maybeArrived }: Stopped, key: string, id: string): Promise<Outcome> {
  const said = { id, description: undefined, action: undefined }
  if (!maybeArrived) {
    toast.info(t`Cancelled. Nothing was sent`, said)
    return 'not_sent'
  }
  const description = isLineUp() ? undefined : t`We'll find out as soon as you're back online`
  toast.loading(t`Checking whether it was sent…`, { ...said, description })
  try {
    if (await cancelAtBank(key)) {
      toast.success(t`It was sent after all`, said)
      return 'sent'
    }
    toast.info(t`Cancelled. Nothing was sent`, said)
    return 'not_sent'
  } catch {
    toast.error(t`We couldn't find out whether it was sent. Please check before you send it again`, said)
    return 'unknown'
  }
}
