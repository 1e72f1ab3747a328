import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { navigateAfterSheets } from '#web/lib/address-sheet.ts'
import { useUnsavedBlocker } from '#web/lib/unsaved-blocker.ts'
import { Button } from '#web/ui/button.tsx'
import { focusOnMount } from '#web/ui/focus-on-mount.ts'
import type { ReportEdits } from '#web/ui/sheet-edits.ts'
import type { SheetProps } from '#web/ui/sheet-props.ts'

type DiscardOptions = Pick<SheetProps, 'open' | 'onOpenChange'> & Required<Pick<SheetProps, 'addressed' | 'unsaved'>>

/**
 * Returns the functions and the state for a question before a sheet with unsaved edits is closed. The question appears after
 * the close button, Escape, a click outside, Back, or a link to another screen.
 */
export function useDiscard({ open, onOpenChange, addressed, unsaved }: DiscardOptions) {
  const [editedParts, setEditedParts] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const [blockedMove, setBlockedMove] = useState<BlockedNavigation | null>(null)
  const isDiscarding = useRef(false)
  const hasEdits = open && (unsaved || editedParts.size > 0)
  const reportEdits = useCallback<ReportEdits>(
    (id, isUnsaved) =>
      setEditedParts((parts) => {
        const newParts = new Set(parts)
        if (isUnsaved) newParts.add(id)
        else newParts.delete(id)
        return newParts
      }),
    [],
  )
  function keepEdits(): void {
    setAsking(false)
    setBlockedMove(null)
    blockedMove?.reset()
  }
  function close(): void {
    if (isAsking || blockedMove) keepEdits()
    else if (hasEdits) setAsking(true)
    else onOpenChange(false)
  }
  function discard(): void {
    setAsking(false)
    isDiscarding.current = true
    if (!blockedMove || !addressed) onOpenChange(false)
    if (blockedMove)
      navigateAfterSheets(() => {
        blockedMove.proceed()
        setBlockedMove(null)
      })
    // The same sheet asks again the next time that it opens.
    setTimeout(() => (isDiscarding.current = false), SETTLED_MS)
  }
  // The guard stays mounted until the blocked navigation is done, even if the sheet has closed.
  const guard = (hasEdits || blockedMove !== null) && (
    <Guard addressed={addressed} isDiscarding={isDiscarding} onKept={setBlockedMove} />
  )
  return { isAsking: open && (isAsking || blockedMove !== null), guard, reportEdits, close, keep: keepEdits, discard }
}

/** The time within which the history returns to the entry from which the sheet was opened. */
const SETTLED_MS = 500

/** The blocked navigation, with the functions to continue or to cancel it. */
type BlockedNavigation = { proceed: () => void; reset: () => void }

type GuardProps = {
  addressed: boolean
  isDiscarding: RefObject<boolean>
  onKept: (navigation: BlockedNavigation) => void
}

/**
 * Blocks the router from leaving the screen. The router accepts only one blocker, so the guard is mounted only while there are
 * edits.
 */
function Guard({ addressed, isDiscarding, onKept }: GuardProps) {
  // The query string opens an addressed sheet. A change of the query string can close it, so it is blocked too.
  const blocker = useUnsavedBlocker(
    true,
    ({ currentLocation, nextLocation }) =>
      !isDiscarding.current &&
      (nextLocation.pathname !== currentLocation.pathname ||
        (addressed && nextLocation.search !== currentLocation.search)),
  )
  const reportBlocked = useEffectEvent(onKept)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    reportBlocked({ proceed, reset })
  }, [blocker])
  return null
}

type QuestionProps = { onKeep: () => void; onDiscard: () => void }

/** The question that replaces the sheet's content. The content keeps its state. */
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
