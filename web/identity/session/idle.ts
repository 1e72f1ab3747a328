/** How long before the end a person is warned, in seconds. */
const WARNING_SECONDS = 60

/** How it stands with somebody who may have gone: nothing to say, a warning with the seconds left, or over. */
export type Idle = { state: 'active' } | { state: 'warned'; secondsLeft: number } | { state: 'expired' }

/**
 * What the time since the last sign of life means, where a session ends after `idleSeconds` without one. Milliseconds of
 * this device's clock; one that was put back counts as a sign of life, for it tells nothing.
 */
export function idleAt(nowMs: number, lastMs: number, idleSeconds: number): Idle {
  const leftMs = idleSeconds * 1000 - Math.max(0, nowMs - lastMs)
  if (leftMs <= 0) return { state: 'expired' }
  const warnedMs = Math.min(WARNING_SECONDS, idleSeconds / 2) * 1000
  return leftMs > warnedMs ? { state: 'active' } : { state: 'warned', secondsLeft: Math.ceil(leftMs / 1000) }
}
