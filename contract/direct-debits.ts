import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, asset, day, instant } from '#contract/common.ts'

/** The number of weeks after the booking in which a customer can claim a direct debit back. */
export const CLAIM_BACK_WEEKS = 8

/** The number of days between the notice to the customer and the due date of a direct debit. */
export const NOTICE_DAYS = 3

/**
 * The statuses of a direct debit. `announced`: it is due in the future. `unpaid`: the bank could not collect it, for example
 * because the balance was too low. `cancelled`: the mandate was canceled after the announcement.
 */
export const DEBIT_STATUSES = ['announced', 'collected', 'unpaid', 'cancelled', 'claimed_back'] as const

export const directDebit = z.object({
  id: z.string(),
  amountMinor,
  asset,
  dueOn: day,
  status: z.enum(DEBIT_STATUSES),
  /** The end of the claim-back period, business time; null if the debit cannot be claimed back. */
  claimableUntil: instant.nullable(),
})
export type DirectDebit = z.infer<typeof directDebit>

/** A mandate: the customer's permission for a biller to collect direct debits. */
export const mandate = z.object({
  id: z.string(),
  billerName: z.string(),
  /** The biller's own reference of the mandate. */
  reference: z.string(),
  /** The maximum amount of one collection; null for no limit. */
  limitMinor: amountMinor.nullable(),
  asset,
  status: z.enum(['requested', 'active', 'declined', 'cancelled']),
  createdAt: instant,
  /**
   * The direct debits of the mandate. `upcoming` has the announced ones, the nearest first. `past` has all others, the latest
   * first.
   */
  upcoming: z.array(directDebit),
  past: z.array(directDebit),
})
export type Mandate = z.infer<typeof mandate>

export const mandateList = z.object({ mandates: z.array(mandate) })

export const mandateDecision = z.strictObject({ decision: z.enum(['approve', 'decline']) })
export type MandateDecision = z.infer<typeof mandateDecision>

export const mandateResponse = z.object({ mandate })

export const claimBackResponse = z.object({ transaction })
