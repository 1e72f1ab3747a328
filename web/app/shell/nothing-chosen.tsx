import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { Notice } from '#web/ui/notice.tsx'

/** Beside the list of transactions while none is open. */
export function NothingChosen() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Transaction Details`} className="flex flex-1 flex-col justify-center">
      <Notice icon={ReceiptText} title={t`No transaction selected`}>
        <Trans>Select one to see its details and receipt here.</Trans>
      </Notice>
    </section>
  )
}
