import { Trans } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says when there is no connection to the bank. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="mx-4 mt-3 flex items-center gap-3 rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <CloudOff aria-hidden className="size-5 shrink-0" strokeWidth={2} />
          <Trans>You're offline. What you see may be out of date.</Trans>
        </p>
      )}
    </div>
  )
}
