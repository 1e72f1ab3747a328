/** How long before the end a person is warned, in seconds. */
const WARNING_SECONDS = 60

/** Whether the customer is active, is warned with the seconds left, or the session has expired. */
export type Idle = { state: 'active' } | { state: 'warned'; secondsLeft: number } | { state: 'expired' }

/**
 * The state after the time since the last input, if a session ends after `idleSeconds` without any. Times are this
 * device's, in milliseconds; if its clock was put back, the customer counts as active.
 */
export function idleAt(nowMs: number, lastMs: number, idleSeconds: number): Idle {
  const leftMs = idleSeconds * 1000 - Math.max(0, nowMs - lastMs)
  if (leftMs <= 0) return { state: 'expired' }
  const warnedMs = Math.min(WARNING_SECONDS, idleSeconds / 2) * 1000
  return leftMs > warnedMs ? { state: 'active' } : { state: 'warned', secondsLeft: Math.ceil(leftMs / 1000) }
}
