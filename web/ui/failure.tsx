import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw, Unplug } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What a part of a screen shows where it could not be loaded. */
export function Failure({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <div role="alert">
      <Notice
        icon={Unplug}
        title={t`That didn't load`}
        action={
          <Button icon={<RefreshCw aria-hidden className="size-5" />} onClick={onRetry}>
            <Trans>Try Again</Trans>
          </Button>
        }
      >
        {message}
      </Notice>
    </div>
  )
}
