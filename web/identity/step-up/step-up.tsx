import { type ComponentType, useEffect, useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { StepUpSheetProps } from '#web/identity/step-up/step-up-sheet.tsx'
import { type WaitingRequest, onStepUp } from '#web/lib/api.ts'

type PendingStepUp = { token: string; request: WaitingRequest; finish: (proved: boolean) => void }

/** Loads the sheet when the bank first requires a proof. Throws Refusal `unreachable`. */
async function loadSheet(): Promise<ComponentType<StepUpSheetProps>> {
  try {
    return (await import('#web/identity/step-up/step-up-sheet.tsx')).StepUpSheet
  } catch (cause) {
    throw new Refusal('unreachable', undefined, { cause })
  }
}

/** Asks for a proof whenever the bank requires one, in the whole app. Requests are handled one after the other. */
export function StepUpPrompt() {
  const [Sheet, setSheet] = useState<ComponentType<StepUpSheetProps> | null>(null)
  const [queue, setQueue] = useState<readonly PendingStepUp[]>([])
  // The last request stays visible while the sheet closes.
  const [last, setLast] = useState<PendingStepUp | null>(null)
  const current = queue[0] ?? null

  useEffect(() => {
    onStepUp(async (token, request) => {
      const Loaded = await loadSheet()
      setSheet(() => Loaded)
      return new Promise((resolve) => {
        setQueue((before) => [...before, { token, request, finish: resolve }])
      })
    })
    return () => onStepUp(async () => false)
  }, [])

  function finishCurrent(proved: boolean): void {
    setLast(current)
    setQueue((before) => before.slice(1))
    current?.finish(proved)
  }

  const displayed = current ?? last
  if (!Sheet || !displayed) return null
  return (
    <Sheet
      key={displayed.token}
      token={displayed.token}
      request={displayed.request}
      open={current !== null}
      onSettled={finishCurrent}
    />
  )
}
