import { type ComponentType, useEffect, useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { StepUpSheetProps } from '#web/identity/step-up/step-up-sheet.tsx'
import { type WaitingRequest, onStepUp } from '#web/lib/api.ts'

type Wanted = { token: string; asked: WaitingRequest; settle: (proved: boolean) => void }

/** Fetched when the bank first wants a proof. Throws Refusal `unreachable`. */
async function loadSheet(): Promise<ComponentType<StepUpSheetProps>> {
  try {
    return (await import('#web/identity/step-up/step-up-sheet.tsx')).StepUpSheet
  } catch (cause) {
    throw new Refusal('unreachable', undefined, { cause })
  }
}

/** Asks for a proof whenever the bank wants one, anywhere in the app: one request after the other. */
export function StepUp() {
  const [Sheet, setSheet] = useState<ComponentType<StepUpSheetProps> | null>(null)
  const [queue, setQueue] = useState<readonly Wanted[]>([])
  // What was asked last stays to be seen while the sheet goes.
  const [last, setLast] = useState<Wanted | null>(null)
  const wanted = queue[0] ?? null

  useEffect(() => {
    onStepUp(async (token, asked) => {
      const Loaded = await loadSheet()
      setSheet(() => Loaded)
      return new Promise((resolve) => {
        setQueue((before) => [...before, { token, asked, settle: resolve }])
      })
    })
    return () => onStepUp(async () => false)
  }, [])

  function settle(proved: boolean): void {
    setLast(wanted)
    setQueue((before) => before.slice(1))
    wanted?.settle(proved)
  }

  const shown = wanted ?? last
  if (!Sheet || !shown) return null
  return <Sheet key={shown.token} token={shown.token} asked={shown.asked} open={wanted !== null} onSettled={settle} />
}
