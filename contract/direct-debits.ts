import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, asset, day, instant } from '#contract/common.ts'

/** For how long after it was booked a direct debit can be claimed back. */
export const CLAIM_BACK_WEEKS = 8

/** How long before its due date a customer is told of a direct debit. */
export const NOTICE_DAYS = 3

/** announced: coming. unpaid: there was not enough money. cancelled: it was announced when its mandate was cancelled. */
export const DEBIT_STATUSES = ['announced', 'collected', 'unpaid', 'cancelled', 'claimed_back'] as const

export const directDebit = z.object({
  id: z.string(),
  amountMinor,
  asset,
  dueOn: day,
  status: z.enum(DEBIT_STATUSES),
  /** Until when it can be claimed back, business time; null where it cannot (any more). */
  claimableUntil: instant.nullable(),
})
export type DirectDebit = z.infer<typeof directDebit>

/** A biller's right to collect, which the customer gives. */
export const mandate = z.object({
  id: z.string(),
  billerName: z.string(),
  /** The biller's own name for it. */
  reference: z.string(),
  /** The most that may be collected at once; null for no limit. */
  limitMinor: amountMinor.nullable(),
  asset,
  status: z.enum(['requested', 'active', 'declined', 'cancelled']),
  createdAt: instant,
  /** What is announced, the next one first, and what was collected, the latest first. */
  upcoming: z.array(directDebit),
  past: z.array(directDebit),
})
export type Mandate = z.infer<typeof mandate>

export const mandateList = z.object({ mandates: z.array(mandate) })

export const mandateDecision = z.strictObject({ decision: z.enum(['approve', 'decline']) })
export type MandateDecision = z.infer<typeof mandateDecision>

export const mandateResponse = z.object({ mandate })

export const claimBackResponse = z.object({ transaction })
