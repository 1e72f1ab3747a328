import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw, Unplug } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

type FailureProps = {
  message: string
  onRetry: () => void
  /** Whether it is being tried again. */
  busy?: boolean
}

/** What a part of a screen shows where it could not be loaded. */
export function Failure({ message, onRetry, busy = false }: FailureProps) {
  const { t } = useLingui()
  return (
    <div role="alert">
      <Notice
        icon={Unplug}
        title={t`That didn't load`}
        action={
          <Button icon={<RefreshCw aria-hidden className="size-5" />} busy={busy} onClick={onRetry}>
            <Trans>Try Again</Trans>
          </Button>
        }
      >
        {message}
      </Notice>
    </div>
  )
}
