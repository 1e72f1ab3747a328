import { useLingui } from '@lingui/react/macro'
import type { TransactionDetail } from '#contract/accounts.ts'
import { PrivateNote } from '#web/transaction-detail/private-note.tsx'
import { ReceiptPhoto } from '#web/transaction-detail/receipt-photo.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Shows the customer's private note and the receipt's photo. */
export function JustForYou({ transaction }: { transaction: TransactionDetail }) {
  const { t } = useLingui()
  return (
    <Section title={t`Just for You`}>
      <Card className="divide-y divide-line">
        <PrivateNote transaction={transaction} />
        <ReceiptPhoto transaction={transaction} />
      </Card>
    </Section>
  )
}
