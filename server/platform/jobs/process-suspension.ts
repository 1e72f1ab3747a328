const HEARTBEAT_MS = 1_000
/** If the time between two beats is longer than this, in milliseconds, this process was suspended. */
const SLEPT_MS = 60_000

/**
 * Calls `onResume` when this process continues after a suspension, with the time at which the suspension began. Returns a
 * function that ends the watch.
 */
export function watchForSuspension(onResume: (since: Date) => void): () => void {
  let lastBeatAt = machineMs()
  const timer = setInterval(() => {
    const previousBeatAt = lastBeatAt
    lastBeatAt = machineMs()
    if (lastBeatAt - previousBeatAt > SLEPT_MS) onResume(new Date(previousBeatAt))
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

// oxlint-disable-next-line no-restricted-properties -- the machine's own clock; a test's clock jumps without a suspension
const machineMs = (): number => Date.now()
