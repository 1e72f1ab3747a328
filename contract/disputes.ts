import { z } from 'zod'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'
import { DISPUTE_REASON_CODES } from '#contract/dispute-reasons.ts'

export const newDispute = z.strictObject({
  transactionId: z.string().max(100),
  reason: z.enum(DISPUTE_REASON_CODES),
  description: typedText.max(500).optional(),
})
export type NewDispute = z.infer<typeof newDispute>

/** A customer's dispute of a card payment. Times are in business time. */
export const dispute = z.object({
  id: z.string(),
  transactionId: z.string(),
  merchant: z.string(),
  paidAt: instant,
  amountMinor,
  asset,
  reason: z.enum(DISPUTE_REASON_CODES),
  description: z.string().nullable(),
  /** The amount that the bank credited to the customer provisionally, until the decision. */
  creditedMinor: z.int().min(0),
  /**
   * The amount decided in the customer's favor. It is lower than `amountMinor` if the shop has refunded a part since the
   * payment.
   */
  upheldMinor: z.int().min(0),
  /**
   * The part of the provisional credit that the customer must give back and the bank could not take yet, because the account
   * had too little money.
   */
  dueMinor: z.int().min(0),
  /**
   * The time at which the provisional credit becomes final without a decision. Null if the dispute is closed, or if there is no
   * credit.
   */
  finalAt: instant.nullable(),
  status: z.enum(['open', 'withdrawn', 'upheld', 'rejected']),
  createdAt: instant,
  decidedAt: instant.nullable(),
  /** The reviewer's answer to the customer. */
  answer: z.string().nullable(),
})
export type Dispute = z.infer<typeof dispute>

export const disputeResponse = z.object({ dispute })

/** The latest dispute of a transaction, and whether the customer may open a new one. */
export const disputeOfTransaction = z.object({ dispute: dispute.nullable(), mayDispute: z.boolean() })

/** A dispute as a reviewer sees it. */
export const disputeToReview = dispute.extend({
  customerName: z.string(),
  customerEmail: z.string(),
  /** The sum of the shop's refunds since the payment. A reviewer can uphold only the remainder. */
  refundedMinor: z.int().min(0),
  /** True if the reviewer is the customer who opened the dispute. Another reviewer must decide it. */
  own: z.boolean(),
})
export type DisputeToReview = z.infer<typeof disputeToReview>

export const disputeQueue = z.object({ disputes: z.array(disputeToReview) })

export const disputeDecision = z.strictObject({
  decision: z.enum(['uphold', 'reject']),
  /** The answer to the customer; required for a rejection. */
  answer: typedText.max(500).optional(),
})
export type DisputeDecision = z.infer<typeof disputeDecision>
