import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { afterSheets } from '#web/lib/address-sheet.ts'
import { useUnsavedBlocker } from '#web/lib/unsaved.ts'
import { Button } from '#web/ui/button.tsx'
import { focusOnMount } from '#web/ui/focus.ts'
import type { TellEdits } from '#web/ui/sheet-edits.ts'
import type { SheetProps } from '#web/ui/sheet-props.ts'

type Asked = Pick<SheetProps, 'open' | 'onOpenChange'> & Required<Pick<SheetProps, 'addressed' | 'unsaved'>>

/**
 * Asks before a sheet is closed whose edits of saved data are not saved, by whichever way: its cross, Escape, beside it, Back, or
 * a link to another screen.
 */
export function useDiscard({ open, onOpenChange, addressed, unsaved }: Asked) {
  const [within, setWithin] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const [kept, setKept] = useState<Kept | null>(null)
  const isDiscarding = useRef(false)
  const hasEdits = open && (unsaved || within.size > 0)
  const tell = useCallback<TellEdits>(
    (id, isUnsaved) =>
      setWithin((before) => {
        const after = new Set(before)
        if (isUnsaved) after.add(id)
        else after.delete(id)
        return after
      }),
    [],
  )
  function keep(): void {
    setAsking(false)
    setKept(null)
    kept?.reset()
  }
  function close(): void {
    if (isAsking || kept) keep()
    else if (hasEdits) setAsking(true)
    else onOpenChange(false)
  }
  function discard(): void {
    setAsking(false)
    isDiscarding.current = true
    if (!kept || !addressed) onOpenChange(false)
    if (kept)
      afterSheets(() => {
        kept.proceed()
        setKept(null)
      })
    // The next time that the same sheet is open, it asks again.
    setTimeout(() => (isDiscarding.current = false), SETTLED_MS)
  }
  // It knows the way on until that is gone, although the sheet has closed by then.
  const guard = (hasEdits || kept !== null) && (
    <Guard addressed={addressed} isDiscarding={isDiscarding} onKept={setKept} />
  )
  return { isAsking: open && (isAsking || kept !== null), guard, tell, close, keep, discard }
}

/** By then the history has come to where the sheet was opened from. */
const SETTLED_MS = 500

/** Where the router was kept from going, and the ways on. */
type Kept = { proceed: () => void; reset: () => void }

type GuardProps = { addressed: boolean; isDiscarding: RefObject<boolean>; onKept: (kept: Kept) => void }

/** Keeps the router from another screen. It has room for one who does, so there is none before there are edits. */
function Guard({ addressed, isDiscarding, onKept }: GuardProps) {
  // Only the address closes a sheet that it opens; it changes nothing else of the screen.
  const blocker = useUnsavedBlocker(
    true,
    ({ currentLocation, nextLocation }) =>
      !isDiscarding.current &&
      (nextLocation.pathname !== currentLocation.pathname ||
        (addressed && nextLocation.search !== currentLocation.search)),
  )
  const tell = useEffectEvent(onKept)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    tell({ proceed, reset })
  }, [blocker])
  return null
}

type QuestionProps = { onKeep: () => void; onDiscard: () => void }

/** Stands in place of what is in the sheet, which stays as it is. */
export function DiscardQuestion({ onKeep, onDiscard }: QuestionProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-5">
      <p role="alert" className="text-pretty text-ink-soft">
        <Trans>You have unsaved changes.</Trans>
      </p>
      <div className="flex flex-col gap-2">
        <Button variant="danger" onClick={onDiscard}>{t`Discard Changes`}</Button>
        <Button variant="secondary" ref={focusOnMount} onClick={onKeep}>{t`Keep Editing`}</Button>
      </div>
    </div>
  )
}
