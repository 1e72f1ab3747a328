import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { navigateAfterSheets } from '#web/lib/address-sheet.ts'
import { useUnsavedBlocker } from '#web/lib/unsaved-blocker.ts'
import { Confirm } from '#web/ui/confirm.tsx'

/** Asks in a sheet before the customer leaves a screen with unsaved edits. */
export function AskBeforeLeaving({ unsaved }: { unsaved: boolean }) {
  const { t } = useLingui()
  const [isLeaving, setLeaving] = useState(false)
  const blocker = useUnsavedBlocker(unsaved)
  function leave(): void {
    setLeaving(true)
    navigateAfterSheets(() => {
      setLeaving(false)
      blocker.proceed?.()
    })
  }
  return (
    <Confirm
      open={blocker.state === 'blocked' && !isLeaving}
      onOpenChange={(next) => next || blocker.reset?.()}
      title={t`Leave without saving?`}
      description={t`You have unsaved changes.`}
      yes={t`Discard Changes`}
      no={t`Keep Editing`}
      danger
      onYes={leave}
    >
      <p>
        <Trans>You have unsaved changes.</Trans>
      </p>
    </Confirm>
  )
}
