import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw, Unplug } from 'lucide-react'
import { Refusal } from '#contract/errors.ts'
import { asProse } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** A query that failed, or what else can be tried again. */
type FailureProps = {
  /** Null while a query is tried again. */
  error: unknown
  refetch: () => unknown
  isFetching?: boolean
}

export const UNREACHABLE = new Refusal('unreachable')

/** Whether there is nothing to show of a query, because it failed; it has still failed while it is tried again. */
export const hasFailed = (query: { data: unknown; errorUpdateCount: number }): boolean =>
  query.errorUpdateCount > 0 && query.data === undefined

/** What a part of a screen shows where it could not be loaded. */
export function Failure({ error, refetch, isFetching = false }: FailureProps) {
  const { t } = useLingui()
  const isUp = useLineUp()
  return (
    <div role="alert">
      <Notice
        icon={Unplug}
        title={t`That didn't load`}
        action={
          <Button icon={<RefreshCw aria-hidden className="size-5" />} busy={isFetching} onClick={() => void refetch()}>
            <Trans>Try Again</Trans>
          </Button>
        }
      >
        {asProse(messageOf(error ?? (isUp ? new Refusal('unavailable') : UNREACHABLE)))}
      </Notice>
    </div>
  )
}
