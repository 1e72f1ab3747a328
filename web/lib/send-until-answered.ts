import { Refusal } from '#contract/errors.ts'
import { isRetriableError, retryDelay } from '#web/lib/api.ts'
import { isConnected, waitForConnection } from '#web/lib/connection.ts'
import { ABORTED, raceAbort, delay } from '#web/lib/abortable.ts'

/** The phases of sending that the customer sees: sending, no connection, or retrying. */
export type SendingPhase = 'sending' | 'no_line' | 'retrying'

/** The number of retries after a failure of the server itself. While the server cannot be reached, retries have no limit. */
const RETRIES = 3
const RETRY_MS = { first: 1_000, most: 15_000 }
/** After a longer absence, customers may not remember what they wanted to send. */
const AWAY_MS = 2 * 60_000

/** Thrown when sending was stopped, or when it failed after an attempt that the bank may have carried out. */
export class SendingStopped extends Error {
  /** True if the bank may have received the request. */
  readonly maybeArrived: boolean
  /** The refusal of the last attempt; null if sending was stopped. */
  readonly refusal: Refusal | null
  constructor(maybeArrived: boolean, refusal: Refusal | null = null) {
    super('Sending was stopped')
    this.maybeArrived = maybeArrived
    this.refusal = refusal
  }
}

export type SendingOptions = {
  /** Stops at once, even during an attempt. */
  cancel: AbortSignal
  /** Stops before the next attempt, because the customer has left the screen. */
  leave: AbortSignal
  onPhase: (phase: SendingPhase) => void
  /** True if the same content was sent before, under the same key, and never answered. */
  sentBefore?: boolean
}

/**
 * Sends a request until it is answered, while its screen is open. No attempt is made without a connection or while the page is
 * hidden. `send` must use one idempotency key for all attempts. Throws SendingStopped if sending was stopped, or if the bank
 * may have carried out an earlier attempt. Otherwise throws the refusal.
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
      if (!isConnected()) {
        onPhase('no_line')
        await waitForConnection(stop)
      }
      if (document.visibilityState !== 'visible') await waitUntilVisible(stop)
      onPhase(failures === 0 ? 'sending' : 'retrying')
      maybeArrived = true
      return await raceAbort(send(), cancel)
    } catch (error) {
      if (cancel.aborted || error === ABORTED) throw new SendingStopped(maybeArrived)
      const refusal = error instanceof Refusal ? error : null
      if (!isRetriableError(error)) throw sentBefore || failures > 0 ? new SendingStopped(true, refusal) : error
      failures += 1
      const isFailing = refusal !== null && refusal.code !== 'unreachable'
      if (isFailing && failures > RETRIES) throw new SendingStopped(true, refusal)
      delayMs = retryDelay(Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.most), error)
    }
    if (leave.aborted) throw new SendingStopped(maybeArrived)
    if (isConnected()) onPhase('retrying')
    await delay(delayMs, stop).catch(() => {
      throw new SendingStopped(maybeArrived)
    })
  }
}

/** Resolves when the page is visible. Rejects with `ABORTED` if it was hidden for over AWAY_MS, or if `signal` is aborted. */
function waitUntilVisible(signal: AbortSignal): Promise<void> {
  const hiddenAt = Date.now()
  let check = (): void => undefined
  const visibility = new Promise<void>((resolve, reject) => {
    check = () => {
      if (document.visibilityState !== 'visible') return
      if (Date.now() - hiddenAt > AWAY_MS) reject(ABORTED)
      else resolve()
    }
    document.addEventListener('visibilitychange', check)
  })
  return raceAbort(visibility, signal).finally(() => document.removeEventListener('visibilitychange', check))
}
