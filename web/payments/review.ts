import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Contact } from '#contract/payments.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { raceAbort } from '#web/lib/abortable.ts'
import { findPayee } from '#web/payments/payee.ts'
import type { TransferForm } from '#web/payments/transfer-form.ts'

/** The reason for a review: the first payment to its payee, or a large amount. */
export type PaymentReviewReason = 'first' | 'large'

/** How long Send waits for the bank to report whether the payee is new, in milliseconds. */
const KNOWN_WITHIN_MS = 1_000

/**
 * The payee's contact (null if the payee is not a contact) and the limit for large amounts, in minor units. The whole value is
 * null if the bank has not responded in time.
 */
type FoundPayee = { payee: Contact | null; reviewAboveMinor: number } | null

/**
 * Returns the reason for a review; null if no review is necessary. If it is unknown whether the customer has paid the payee
 * before, the payee counts as new: an unnecessary review costs one press, a missing one may cost the money
 * (docs/decisions/0372).
 */
function reviewReason(payee: FoundPayee, amountMinor: number): PaymentReviewReason | null {
  if (payee?.payee?.paid !== true) return 'first'
  return amountMinor > payee.reviewAboveMinor ? 'large' : null
}

/**
 * Returns the state of the review and the form's submit handler. A payment is reviewed if necessary, and again after any change
 * to the payment.
 */
export function useReview(form: TransferForm, isShort: boolean) {
  const queries = useQueryClient()
  const [reason, setReason] = useState<PaymentReviewReason | null>(null)
  const [open, setOpen] = useState(false)
  const confirmed = useRef('')
  const isLooking = useRef(false)
  const { amount, recipient } = form.values
  const amountMinor = parseMinor(amount)
  const payment = JSON.stringify({ ...form.values, amount: amountMinor, recipient: recipient.trim() })

  // The payment that the form contains; null after the customer has left the screen.
  const current = useRef<string | null>(null)
  useEffect(() => {
    current.current = payment
    return () => {
      current.current = null
    }
  }, [payment])

  async function checkReview(): Promise<void> {
    if (isLooking.current) return
    isLooking.current = true
    const timeLimit = AbortSignal.timeout(KNOWN_WITHIN_MS)
    const payee = await raceAbort(findPayee(queries, recipient), timeLimit).catch(() => null)
    isLooking.current = false
    if (current.current !== payment) return
    const foundReason = reviewReason(payee, amountMinor)
    if (foundReason === null) return form.onSubmit()
    setReason(foundReason)
    setOpen(true)
  }

  return {
    reason,
    open,
    close: () => setOpen(false),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      // A payment that the form or the bank refuses, or that the customer has confirmed, is not reviewed first.
      if (!form.isFaultless || isShort || confirmed.current === payment || form.busy || form.done) form.onSubmit()
      else void checkReview()
    },
    confirm: () => {
      confirmed.current = payment
      setOpen(false)
      form.onSubmit()
    },
  }
}
