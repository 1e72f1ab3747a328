import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '#web/lib/error-toast.ts'
import { toast } from '#web/lib/toast.ts'

/** The context of a task. `reportProgress` reports its progress. `signal` is aborted when the customer cancels it or leaves. */
export type WorkContext<Progress> = { signal: AbortSignal; reportProgress: (progress: Progress) => void }

/** The messages after the task is canceled, or after its screen is left early. A missing message shows no toast. */
type WorkMessages = { canceledText?: string; left?: string }

type CurrentWork<Progress> = { stopping: AbortController; progress: Progress }

/**
 * Returns a function that runs a long task, the task's progress (null while no task runs), and a function that stops the task.
 * Only one task runs at a time. Leaving the screen also stops the task. An error is shown in a toast.
 */
export function useLongWork<Progress>({ canceledText, left: leftText }: WorkMessages) {
  const [current, setUnderWay] = useState<CurrentWork<Progress> | null>(null)
  const runningController = useRef<AbortController | null>(null)
  const leave = useEffectEvent(() => {
    if (!runningController.current) return
    runningController.current.abort()
    if (leftText !== undefined) toast.info(leftText)
  })
  useEffect(() => () => leave(), [])
  /** Returns null if the task was stopped or failed. */
  async function run<Result>(
    first: Progress,
    work: (working: WorkContext<Progress>) => Promise<Result>,
  ): Promise<Result | null> {
    if (runningController.current) return null
    const stopController = (runningController.current = new AbortController())
    const { signal } = stopController
    setUnderWay({ stopping: stopController, progress: first })
    try {
      const reportProgress = (progress: Progress) =>
        signal.aborted || setUnderWay({ stopping: stopController, progress })
      return await work({ signal, reportProgress })
    } catch (error) {
      if (!signal.aborted) toastError(error)
      return null
    } finally {
      runningController.current = null
      setUnderWay(null)
    }
  }
  function cancel(): void {
    if (!runningController.current || runningController.current.signal.aborted) return
    runningController.current.abort()
    if (canceledText !== undefined) toast.info(canceledText)
  }
  return { progress: current && !current.stopping.signal.aborted ? current.progress : null, run, cancel }
}
