import { Clock3, Undo2 } from 'lucide-react'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { transactionStatusText } from '#web/i18n/words.ts'
import { cx } from '#web/ui/cx.ts'

/** Marks transactions that are not settled. A completed transaction has no badge. */
export function StatusBadge({ status, className }: { status: TransactionStatus; className?: string }) {
  if (status === 'completed') return null
  const Icon = status === 'pending' ? Clock3 : Undo2
  return (
    <span
      className={cx(
        'inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap',
        status === 'pending' ? 'bg-warning-subtle text-warning' : 'bg-muted text-ink-soft',
        className,
      )}
    >
      <Icon aria-hidden className="size-3" strokeWidth={2.4} />
      {transactionStatusText(status)}
    </span>
  )
}
