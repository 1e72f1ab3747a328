import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Link } from 'react-router'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { useStoredSwitch } from '#web/lib/stored-switch.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/** Returns a hash of the email address (FNV-1a), which distinguishes a device's customers without storing their addresses. */
function markOf(email: string): string {
  let hash = 0x811c9dc5
  for (const character of email) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Returns whether to show the note about the invented customer. It is shown until the customer dismisses it on this device. */
export function useNewcomer() {
  const { data: me } = useQuery(meQuery)
  const [isTold, setTold] = useStoredSwitch(`alder.told.${me ? markOf(me.customer.email) : ''}`, false)
  const isSample = me?.mode === 'sample'
  return { isSample, isNew: isSample && !isTold, dismiss: () => setTold(true) }
}

/** States that the customer is invented and links to the controls that simulate events. */
export function NewcomerLine({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useLingui()
  const controls = (
    <Link to={paths.sample} className="font-semibold text-primary underline underline-offset-2">
      <Trans>Sample Controls</Trans>
    </Link>
  )
  return (
    <div className="flex items-start gap-1">
      <p className="min-w-0 flex-1">
        <Trans comment="{controls} is the link Sample Controls">
          This is a sample customer with made-up money. Try things out in {controls}.
        </Trans>
      </p>
      <IconButton icon={X} label={t`Dismiss`} onClick={onDismiss} className="-my-0.5 text-ink-soft" />
    </div>
  )
}
