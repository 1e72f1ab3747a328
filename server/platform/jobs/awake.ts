const HEARTBEAT_MS = 1_000
/** A process whose timers are late by so much was stopped: with its machine, or by somebody. */
const SLEPT_MS = 60_000

/** Tells when this process goes on after it was stopped, and up to when it had worked. Answers how to end that. */
export function whenAwake(tell: (since: Date) => void): () => void {
  let beat = machineMs()
  const timer = setInterval(() => {
    const since = beat
    beat = machineMs()
    if (beat - since > SLEPT_MS) tell(new Date(since))
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

// oxlint-disable-next-line no-restricted-properties -- this is about the machine; a test's clock jumps, and sleeps nowhere
const machineMs = (): number => Date.now()
