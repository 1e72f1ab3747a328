import { Trans, useLingui } from '@lingui/react/macro'
import { Sprout, X } from 'lucide-react'
import { offerNewVersion } from '#web/app/version/new-version.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

/**
 * A bar with a button that loads the new version. The page never reloads automatically, because it may contain unsaved input.
 */
export function UpdateBar() {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`New version`}
      className="mx-4 mt-3 flex items-center gap-3 rounded-control border border-line bg-surface py-1.5 ps-4 pe-1.5 text-sm shadow-card"
    >
      <Sprout aria-hidden className="size-5 shrink-0 text-primary" strokeWidth={2} />
      <p role="status" className="min-w-0 flex-1 font-medium">
        <Trans>A new version of Alder is ready</Trans>
      </p>
      <Button size="small" variant="secondary" onClick={() => location.reload()}>
        <Trans comment="Loads the new version of the app">Update</Trans>
      </Button>
      <IconButton
        icon={X}
        label={t({ message: 'Later', comment: 'Postpones the update' })}
        onClick={() => offerNewVersion(null)}
      />
    </section>
  )
}
