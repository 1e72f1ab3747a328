import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw, Unplug } from 'lucide-react'
import { Refusal } from '#contract/errors.ts'
import { withFullStop } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A failed query, or another failed action that can be retried. */
type FailureProps = {
  /** Null while the query is retried. */
  error: unknown
  refetch: () => unknown
  isFetching?: boolean
}

export const UNREACHABLE = new Refusal('unreachable')

/** Returns whether a query has no data because it failed. The result stays true during a retry. */
export const hasLoadFailed = (query: { data: unknown; errorUpdateCount: number }): boolean =>
  query.errorUpdateCount > 0 && query.data === undefined

/** The notice of a part of a screen that failed to load. */
export function LoadFailure({ error, refetch, isFetching = false }: FailureProps) {
  const { t } = useLingui()
  const isUp = useIsConnected()
  return (
    <div role="alert">
      <EmptyState
        icon={Unplug}
        title={t`That didn't load`}
        action={
          <Button icon={<RefreshCw aria-hidden className="size-5" />} busy={isFetching} onClick={() => void refetch()}>
            <Trans>Try Again</Trans>
          </Button>
        }
      >
        {withFullStop(messageOf(error ?? (isUp ? new Refusal('unavailable') : UNREACHABLE)))}
      </EmptyState>
    </div>
  )
}
