/** The time between the warning and the sign-out, in seconds. For a short idle limit, it is half the limit. */
const WARNING_SECONDS = 60

/** The customer is active, warned with the seconds left, or signed out because the session has expired. */
export type Idle = { state: 'active' } | { state: 'warned'; secondsLeft: number } | { state: 'expired' }

/**
 * Returns the state for the time since the last input, if a session ends after `idleSeconds` without input. Times are by this
 * device's clock, in milliseconds. If the clock was set back, the customer counts as active.
 */
export function idleAt(nowMs: number, lastMs: number, idleSeconds: number): Idle {
  const leftMs = idleSeconds * 1000 - Math.max(0, nowMs - lastMs)
  if (leftMs <= 0) return { state: 'expired' }
  const warnedMs = Math.min(WARNING_SECONDS, idleSeconds / 2) * 1000
  return leftMs > warnedMs ? { state: 'active' } : { state: 'warned', secondsLeft: Math.ceil(leftMs / 1000) }
}
