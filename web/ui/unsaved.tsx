import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { afterSheets } from '#web/lib/address-sheet.ts'
import { Confirm } from '#web/ui/confirm.tsx'

/**
 * Asks before a screen is left whose edits of saved data are not saved: in a sheet, or by the browser where the page itself
 * is closed. Who signs out, or whose session ends, is not kept from it.
 */
export function AskBeforeLeaving({ unsaved }: { unsaved: boolean }) {
  const { t } = useLingui()
  const [leaving, setLeaving] = useState(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved && nextLocation.pathname !== currentLocation.pathname && !PUBLIC_PAGES.has(nextLocation.pathname),
  )
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  function leave(): void {
    setLeaving(true)
    afterSheets(() => {
      setLeaving(false)
      blocker.proceed?.()
    })
  }
  return (
    <Confirm
      open={blocker.state === 'blocked' && !leaving}
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
