import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The pane beside the list of transactions while none is open. */
export function NoTransactionSelected() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Transaction Details`} className="flex flex-1 flex-col justify-center">
      <EmptyState icon={ReceiptText} title={t`No transaction selected`}>
        <Trans>Select one to see its details and receipt here.</Trans>
      </EmptyState>
    </section>
  )
}
