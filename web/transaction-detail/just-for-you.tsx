import { useLingui } from '@lingui/react/macro'
import type { TransactionDetail } from '#contract/accounts.ts'
import { PrivateNote } from '#web/transaction-detail/private-note.tsx'
import { ReceiptPhoto } from '#web/transaction-detail/receipt-photo.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** What a customer keeps with a transaction for themselves. */
export function JustForYou({ shown }: { shown: TransactionDetail }) {
  const { t } = useLingui()
  return (
    <Section title={t`Just for You`}>
      <Card className="divide-y divide-line">
        <PrivateNote shown={shown} />
        <ReceiptPhoto shown={shown} />
      </Card>
    </Section>
  )
}
