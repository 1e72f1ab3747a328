import { z } from 'zod'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'
import { DISPUTE_REASON_CODES } from '#contract/dispute-reasons.ts'

export const newDispute = z.strictObject({
  transactionId: z.string().max(100),
  reason: z.enum(DISPUTE_REASON_CODES),
  description: typedText.max(500).optional(),
})
export type NewDispute = z.infer<typeof newDispute>

/** A card payment that its customer says is wrong. Times are business times. */
export const dispute = z.object({
  id: z.string(),
  transactionId: z.string(),
  merchant: z.string(),
  paidAt: instant,
  amountMinor,
  asset,
  reason: z.enum(DISPUTE_REASON_CODES),
  description: z.string().nullable(),
  /** What the customer has been credited until it is decided. */
  creditedMinor: z.int().min(0),
  /** What of it was decided for the customer: less than the amount where the shop has given the rest back since. */
  upheldMinor: z.int().min(0),
  /** What of the credit is still to be taken back, once there is money to take. */
  dueMinor: z.int().min(0),
  /** When what was credited becomes the customer's, whatever is decided by then; null of one that is over, or without a credit. */
  finalAt: instant.nullable(),
  status: z.enum(['open', 'withdrawn', 'upheld', 'rejected']),
  createdAt: instant,
  decidedAt: instant.nullable(),
  /** What whoever decided it wrote to the customer. */
  answer: z.string().nullable(),
})
export type Dispute = z.infer<typeof dispute>

export const disputeResponse = z.object({ dispute })

/** What can be said of a transaction: the latest dispute about it, and whether there may be a new one. */
export const disputeOfTransaction = z.object({ dispute: dispute.nullable(), mayDispute: z.boolean() })

/** The same for a reviewer. */
export const disputeToReview = dispute.extend({
  customerName: z.string(),
  customerEmail: z.string(),
  /** What the shop has given back since: no more than the rest can be upheld. */
  refundedMinor: z.int().min(0),
  /** Whether it is the reviewer's own, which somebody else has to decide. */
  own: z.boolean(),
})
export type DisputeToReview = z.infer<typeof disputeToReview>

export const disputeQueue = z.object({ disputes: z.array(disputeToReview) })

export const disputeDecision = z.strictObject({
  decision: z.enum(['uphold', 'reject']),
  /** What the customer reads; needed to reject. */
  answer: typedText.max(500).optional(),
})
export type DisputeDecision = z.infer<typeof disputeDecision>
