import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { Contact } from '#contract/payments.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { PaymentFacts } from '#web/payments/payment-facts.tsx'
import { PaymentHead } from '#web/payments/payment-head.tsx'
import type { PaymentReviewReason } from '#web/payments/review.ts'
import type { TransferForm } from '#web/payments/transfer-form.ts'
import { Confirm } from '#web/ui/confirm.tsx'

type ReviewSheetProps = {
  open: boolean
  reason: PaymentReviewReason
  values: TransferForm['values']
  payee: Contact | null
  onConfirm: () => void
  onEdit: () => void
}

/** Shows a payment before it is sent: payee, amount, arrival, message and cost. */
export function ReviewSheet({ open, reason, values, payee, onConfirm, onEdit }: ReviewSheetProps) {
  const { t } = useLingui()
  const id = useId()
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => next || onEdit()}
      title={reason === 'first' ? t`Is this the right recipient?` : t`Is this the right amount?`}
      description={t`Check the amount and the recipient.`}
      yes={t`Confirm`}
      about={id}
      no={t({ message: 'Edit', comment: 'A payment' })}
      onYes={onConfirm}
    >
      <div id={id}>
        <PaymentHead amountMinor={parseMinor(values.amount)} address={values.recipient.trim()} payee={payee} />
      </div>
      <div className="text-ink">
        <PaymentFacts values={values} payee={payee} />
      </div>
      <p className="text-sm">
        {reason === 'first' && <Trans>Please check every letter and digit of the email or phone number.</Trans>}{' '}
        {values.when === 'now' ? (
          <Trans>Once someone has accepted a payment, we can't take it back.</Trans>
        ) : (
          <Trans>You can change or cancel it until it goes out.</Trans>
        )}
      </p>
    </Confirm>
  )
}
