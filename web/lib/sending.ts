import { Refusal } from '#contract/errors.ts'
import { isRetriable, retryDelay } from '#web/lib/api.ts'
import { isLineUp, lineIsUp } from '#web/lib/line.ts'
import { ABORTED, orAborted, pause } from '#web/lib/waiting.ts'

/** What the customer is told meanwhile: it is sent, there is no line to send it by, or it is sent again. */
export type Phase = 'sending' | 'no_line' | 'retrying'

/** How often a request is sent again after the bank itself has failed. Where it cannot be reached, there is no end to it. */
const RETRIES = 3
const RETRY_MS = { first: 1_000, most: 15_000 }
/** Who comes back after longer than this may not remember what they wanted to send. */
const AWAY_MS = 2 * 60_000

/** Thrown where sending has ended and the bank may have carried the request out, or may yet. */
export class Stopped extends Error {
  /** Whether the bank may have got the request. */
  readonly maybeArrived: boolean
  /** Why it ended: what the last try was refused with; null where somebody stopped it. */
  readonly refusal: Refusal | null
  constructor(maybeArrived: boolean, refusal: Refusal | null = null) {
    super('Sending was stopped')
    this.maybeArrived = maybeArrived
    this.refusal = refusal
  }
}

export type SendingOptions = {
  /** Stops at once, also in the midst of a try. */
  cancel: AbortSignal
  /** Stops before the next try: nobody looks any more. */
  leave: AbortSignal
  onPhase: (phase: Phase) => void
  /** Whether the same was sent before, under the same key, and never answered. */
  sentBefore?: boolean
}

/**
 * Sends a request again until it is answered, while the customer looks at it: never without a line, never while the page
 * is hidden. `send` is to use one Idempotency-Key for all tries. Throws Stopped where an earlier try may have been carried
 * out, and else what it was refused with.
 */
export async function sendUntilAnswered<Result>(
  send: () => Promise<Result>,
  { cancel, leave, onPhase, sentBefore = false }: SendingOptions,
): Promise<Result> {
  const stop = AbortSignal.any([cancel, leave])
  let maybeArrived = sentBefore
  for (let failures = 0; ;) {
    let delayMs = 0
    try {
      if (!isLineUp()) {
        onPhase('no_line')
        await lineIsUp(stop)
      }
      if (document.visibilityState !== 'visible') await isLookedAt(stop)
      onPhase(failures === 0 ? 'sending' : 'retrying')
      maybeArrived = true
      return await orAborted(send(), cancel)
    } catch (error) {
      if (cancel.aborted || error === ABORTED) throw new Stopped(maybeArrived)
      const refusal = error instanceof Refusal ? error : null
      if (!isRetriable(error)) throw sentBefore || failures > 0 ? new Stopped(true, refusal) : error
      failures += 1
      const isFailing = refusal !== null && refusal.code !== 'unreachable'
      if (isFailing && failures > RETRIES) throw new Stopped(true, refusal)
      delayMs = retryDelay(Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.most), error)
    }
    if (leave.aborted) throw new Stopped(maybeArrived)
    if (isLineUp()) onPhase('retrying')
    await pause(delayMs, stop).catch(() => {
      throw new Stopped(maybeArrived)
    })
  }
}

/** Resolves once the page is visible. Rejects where it was hidden for so long that nobody waits for this any more. */
function isLookedAt(signal: AbortSignal): Promise<void> {
  const hiddenAt = Date.now()
  let look = (): void => undefined
  const visible = new Promise<void>((resolve, reject) => {
    look = () => {
      if (document.visibilityState !== 'visible') return
      if (Date.now() - hiddenAt > AWAY_MS) reject(ABORTED)
      else resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
  return orAborted(visible, signal).finally(() => document.removeEventListener('visibilitychange', look))
}
