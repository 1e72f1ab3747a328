/** The error of a promise that `raceAbort` rejects. */
export const ABORTED = new Error('Aborted')

/** Returns the outcome of a promise. Rejects with `ABORTED` if `signal` is aborted first. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(ABORTED)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

export function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const delayEnd = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return raceAbort(delayEnd, signal).finally(() => clearTimeout(timer))
}
