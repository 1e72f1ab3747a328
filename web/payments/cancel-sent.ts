import { useLingui } from '@lingui/react/macro'
import { cancelTransfer } from '#web/accounts/queries.ts'
import { money } from '#web/i18n/formats.ts'
import type { Transaction } from '#contract/accounts.ts'
import type { Schedule } from '#contract/schedules.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { cancelSchedule } from '#web/schedules/queries.ts'

/** A payment that was just sent, or a scheduled payment. */
type CancellablePayment = { transaction: Transaction } | { schedule: Schedule }

/**
 * Returns whether a payment can be canceled: a scheduled payment, or money for a recipient who is not a customer yet. Money for
 * a customer arrives immediately and cannot be taken back.
 */
export const canCancelSent = (payment: CancellablePayment): boolean =>
  'schedule' in payment || payment.transaction.status === 'pending'

/** Returns a function that cancels a payment that was just sent. It also works after the customer has left the screen. */
export function useCancelSent(): (payment: CancellablePayment) => void {
  const { t } = useLingui()
  const canceledText = (payment: CancellablePayment) => {
    if ('schedule' in payment) return t`Scheduled payment canceled`
    const amount = money(payment.transaction.amountMinor, payment.transaction.asset, { sign: 'never' })
    return t`${amount} is back in your account`
  }
  const { submit } = useSubmission({
    send: async (payment: CancellablePayment, key) => {
      if ('schedule' in payment) await cancelSchedule(payment.schedule, key)
      else await cancelTransfer(payment.transaction.id, key)
    },
    loading: () => t`Canceling…`,
    success: (_response, payment) => ({ message: canceledText(payment) }),
    outcome: (payment) => ({ sent: canceledText(payment), notSent: t`The payment wasn't canceled` }),
  })
  return (payment) => void submit(payment)
}
