import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '#web/lib/error-toast.ts'
import { toast } from '#web/lib/toast.ts'

/** What work is given: `tell` is told how far it is, and `signal` is aborted when nobody wants it any more. */
export type Working<HowFar> = { signal: AbortSignal; tell: (howFar: HowFar) => void }

/** What is said where work was cancelled, or its screen was left before it ended; nothing of what is left out. */
type Said = { cancelled?: string; left?: string }

type UnderWay<HowFar> = { stopping: AbortController; howFar: HowFar }

/**
 * Work that takes long enough to be looked at: how far it is, null while there is none, and a way to stop it. One piece at a
 * time; leaving the screen stops it too. An error is told in a toast.
 */
export function useLongWork<HowFar>({ cancelled, left }: Said) {
  const [underWay, setUnderWay] = useState<UnderWay<HowFar> | null>(null)
  const running = useRef<AbortController | null>(null)
  const leave = useEffectEvent(() => {
    if (!running.current) return
    running.current.abort()
    if (left !== undefined) toast.info(left)
  })
  useEffect(() => () => leave(), [])
  /** Answers null where it was stopped or failed. */
  async function run<Result>(
    first: HowFar,
    work: (working: Working<HowFar>) => Promise<Result>,
  ): Promise<Result | null> {
    if (running.current) return null
    const stopping = (running.current = new AbortController())
    const { signal } = stopping
    setUnderWay({ stopping, howFar: first })
    try {
      const tell = (howFar: HowFar) => signal.aborted || setUnderWay({ stopping, howFar })
      return await work({ signal, tell })
    } catch (error) {
      if (!signal.aborted) toastError(error)
      return null
    } finally {
      running.current = null
      setUnderWay(null)
    }
  }
  function cancel(): void {
    if (!running.current || running.current.signal.aborted) return
    running.current.abort()
    if (cancelled !== undefined) toast.info(cancelled)
  }
  return { howFar: underWay && !underWay.stopping.signal.aborted ? underWay.howFar : null, run, cancel }
}
