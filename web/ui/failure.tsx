import { RefreshCw, Unplug } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What a part of a screen shows where it could not be loaded. */
export function Failure({ message, onRetry, busy = false }: { message: string; onRetry: () => void; busy?: boolean }) {
  return (
    <div role="alert">
      <Notice
        icon={Unplug}
        title="That didn't load"
        action={
          <Button busy={busy} icon={<RefreshCw aria-hidden className="size-5" />} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {message}
      </Notice>
    </div>
  )
}
