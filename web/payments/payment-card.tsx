import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import type { Contact } from '#contract/payments.ts'
import { isAddress } from '#web/lib/address.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { PaymentFacts } from '#web/payments/payment-facts.tsx'
import { PaymentHead } from '#web/payments/payment-head.tsx'
import type { TransferForm } from '#web/payments/transfer-form.ts'
import { Card } from '#web/ui/screen.tsx'

/** Shows the payment beside the form as the customer fills it in. */
export function PaymentCard({ values, payee }: { values: TransferForm['values']; payee: Contact | null }) {
  const title = useId()
  const address = values.recipient.trim()
  return (
    <section aria-labelledby={title}>
      <Card className="px-5 pt-4">
        <h2 id={title} className="text-sm font-medium text-ink-soft">
          <Trans>Your Payment</Trans>
        </h2>
        <div className="pt-2 pb-4">
          <PaymentHead
            amountMinor={parseMinor(values.amount)}
            address={isAddress(address) ? address : ''}
            payee={payee}
          />
        </div>
        <PaymentFacts values={values} payee={payee} className="divide-y divide-line border-t border-line" />
      </Card>
    </section>
  )
}
