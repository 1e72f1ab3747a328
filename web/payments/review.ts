import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Contact } from '#contract/payments.ts'
import { readMinor } from '#web/lib/amounts.ts'
import { orAborted } from '#web/lib/waiting.ts'
import { findPayee } from '#web/payments/payee.ts'
import type { TransferForm } from '#web/payments/transfer-form.ts'

/** Why a payment is shown for review: it is the first to its payee, or a large sum. */
export type ReviewReason = 'first' | 'large'

/** How long a press of Send waits for the bank to say whether the payee is new. */
const KNOWN_WITHIN_MS = 1_000

/** Whom a payment goes to; null where the bank has not said. */
type Found = { payee: Contact | null; reviewAboveMinor: number } | null

/**
 * Whether a payment is shown for review, and why. Where it is not known whether its payee was ever paid, they count as
 * new: a review too many costs a press, one too few may cost the money (docs/decisions/0372).
 */
function reviewReason(found: Found, amountMinor: number): ReviewReason | null {
  if (found?.payee?.paid !== true) return 'first'
  return amountMinor > found.reviewAboveMinor ? 'large' : null
}

/** Shows a payment for review where it matters, and again after any change of it. */
export function useReview(form: TransferForm, isShort: boolean) {
  const queries = useQueryClient()
  const [reason, setReason] = useState<ReviewReason | null>(null)
  const [open, setOpen] = useState(false)
  const confirmed = useRef('')
  const looking = useRef(false)
  const { amount, recipient } = form.values
  const amountMinor = readMinor(amount)
  const payment = JSON.stringify({ ...form.values, amount: amountMinor, recipient: recipient.trim() })

  // Nothing once the screen is left.
  const current = useRef<string | null>(null)
  useEffect(() => {
    current.current = payment
    return () => {
      current.current = null
    }
  }, [payment])

  async function look(): Promise<void> {
    if (looking.current) return
    looking.current = true
    const within = AbortSignal.timeout(KNOWN_WITHIN_MS)
    const found = await orAborted(findPayee(queries, recipient), within).catch(() => null)
    looking.current = false
    if (current.current !== payment) return
    const why = reviewReason(found, amountMinor)
    if (why === null) return form.onSubmit()
    setReason(why)
    setOpen(true)
  }

  return {
    reason,
    open,
    close: () => setOpen(false),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      // What the form or the bank refuses anyway is refused first.
      if (!form.isFaultless || isShort || confirmed.current === payment || form.busy || form.done) form.onSubmit()
      else void look()
    },
    confirm: () => {
      confirmed.current = payment
      setOpen(false)
      form.onSubmit()
    },
  }
}
