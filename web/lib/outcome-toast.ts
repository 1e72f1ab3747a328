import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { api, isFinal, unwrap } from '#web/lib/api.ts'
import { isLineUp } from '#web/lib/line.ts'
import { toast } from '#web/lib/toast.ts'
import { lineIsUp, pause, type Stopped } from '#web/lib/sending.ts'

/** Nearly always the bank has carried out by then what had arrived; only what is held on the way may still come. */
const LOOK_AGAIN_MS = 3_000

const isCarriedOut = async (key: string): Promise<boolean> =>
  (await unwrap(api.requests[':key'].$get({ param: { key } }))).carriedOut

/** Asks the bank, as soon as it can be reached, whether a request was carried out. Throws Refusal where it does not say. */
async function findOutcome(key: string, signal: AbortSignal): Promise<boolean> {
  while (true) {
    await lineIsUp(signal)
    try {
      if (await isCarriedOut(key)) return true
      await pause(LOOK_AGAIN_MS, signal)
      return await isCarriedOut(key)
    } catch (error) {
      if (isFinal(error) || signal.aborted) throw error
      await pause(LOOK_AGAIN_MS, signal)
    }
  }
}

/**
 * Says what became of a request that was stopped before it was answered: what may have arrived is looked up first. The
 * toast outlives its screen, for whoever has left it wants to know too. `signal`: the form is sent again.
 */
export async function outcomeToast(
  { maybeArrived }: Stopped,
  key: string,
  id: string,
  { queries, signal }: { queries: QueryClient; signal: AbortSignal },
): Promise<void> {
  const said = { id, description: undefined, action: undefined }
  if (!maybeArrived) return toast.info(t`Cancelled. Nothing was sent`, said)
  const description = isLineUp() ? undefined : t`We'll find out as soon as you're back online`
  toast.loading(t`Checking whether it was sent…`, { ...said, description })
  try {
    const carriedOut = await findOutcome(key, signal)
    if (carriedOut) toast.success(t`It was sent after all`, said)
    else {
      const mayCome = t`If it was already on its way, it may still go through. Check your transactions before you send it again.`
      toast.info(t`Cancelled. Nothing was sent so far`, { ...said, description: mayCome })
    }
    if (carriedOut) void queries.invalidateQueries()
  } catch {
    if (signal.aborted) return
    toast.error(t`We couldn't find out whether it was sent. Please check before you send it again`, said)
  }
}
