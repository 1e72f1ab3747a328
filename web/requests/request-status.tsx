import { useLingui } from '@lingui/react/macro'
import type { RequestStatus } from '#contract/requests.ts'
import { cx } from '#web/ui/cx.ts'

const LOOKS: Record<RequestStatus, string> = {
  open: 'bg-warning-subtle text-warning',
  paid: 'bg-primary-subtle text-primary',
  declined: 'bg-danger-subtle text-danger',
  cancelled: 'bg-muted text-ink-soft',
  expired: 'bg-muted text-ink-soft',
}

/** Shows the status of a request in a word. */
export function RequestStatusBadge({ status, className }: { status: RequestStatus; className?: string }) {
  const { t } = useLingui()
  const texts: Record<RequestStatus, string> = {
    open: t({ message: 'Open', context: 'money request' }),
    paid: t({ message: 'Paid', context: 'money request' }),
    declined: t({ message: 'Declined', context: 'money request' }),
    cancelled: t({ message: 'Canceled', context: 'money request' }),
    expired: t({ message: 'Expired', context: 'money request' }),
  }
  return (
    <span
      className={cx(
        'inline-flex rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap',
        LOOKS[status],
        className,
      )}
    >
      {texts[status]}
    </span>
  )
}
