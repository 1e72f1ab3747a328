import { RefreshCw, Unplug } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What a part of a screen shows where it could not be loaded. */
export function Failure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert">
      <Notice
        icon={Unplug}
        title="That didn't load"
        action={
          <Button icon={<RefreshCw aria-hidden className="size-5" />} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {message}
      </Notice>
    </div>
  )
}
